/*
 * Partial-order reduction must not be fooled by a rendez-vous in an escape.
 *
 * From: D. Bosnacki, Partial order reduction in presence of rendez-vous
 *       communications with unless constructs and weak fairness, SPIN 1999
 *       (chapter 3 of his thesis), figure 2.
 *
 * B may run into its assertion only while A does not yet offer c?1, that is,
 * before A's skip. The skip touches nothing shared, yet it disables the
 * assertion: it makes the escape c!1 possible, which has priority. A reduction
 * that takes the skip for safe runs it first and misses the violation.
 *
 * Parameters: none.
 *
 * Expect: assertion violated (false), with and without reduction. Spin 6.5.2
 *         finds it without reduction; with reduction it warns that the
 *         reduction may be invalid, and misses it.
 * Size: 9 states without reduction.
 */

chan c = [0] of { bit };

active proctype A()
{
	skip;
	c?1
}

active proctype B()
{
	assert(false) unless c!1
}
