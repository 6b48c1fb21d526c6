/* Known-bad input of the header gate: a type whose header is missing and a declaration that is no prototype.
 */
typedef struct tfe_bad tfe_bad;
tfe_bad* tfe_bad_make();
size_t tfe_bad_len(const tfe_bad* bad);
