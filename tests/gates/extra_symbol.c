/* Known-bad input of the symbol gate: exports a function that no header declares and lacks the declared ones.
 */
int tfe_undeclared(void);
int tfe_undeclared(void) { return 1; }
