/* Known-bad input of the symbol gate: exports a function that no header declares, and C++ names that are like
 * those of rows of the table of operations but do not follow from one; and lacks the declared ones. */
int tfe_undeclared(void);
int tfe_undeclared(void) { return 1; }
int like_a_method(void) __asm__("_ZN8tenferro4v0_114BackendSession9roll_backEv");
int like_a_method(void) { return 1; }
int like_a_member(void) __asm__("_ZNK8tenferro4v0_110tensor_ops4Roll5twiceEv");
int like_a_member(void) { return 1; }
