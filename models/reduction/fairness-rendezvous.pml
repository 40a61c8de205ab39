/*
 * Partial-order reduction and weak fairness do not mix when there are
 * rendez-vous, unless the reduction knows what fairness waits for.
 *
 * From: D. Bosnacki, Partial order reduction in presence of rendez-vous
 *       communications with unless constructs and weak fairness, SPIN 1999
 *       (chapter 3 of his thesis), figure 8; the example is D. Dams's.
 *
 * B's send is enabled only while C stands at its receive. C leaves it again
 * and again (for "x = 0"), so B is not continuously enabled, and weak fairness
 * allows that A and C go round without B for ever. A reduction that takes
 * "x = 0" for safe does not see that moment.
 *
 * Parameters: none.
 *
 * Expect: no errors.
 *   reached  (b becomes true) violated with and without weak fairness. A
 *            verifier with an unsound reduction says that it holds under weak
 *            fairness; Spin 6.5.2 refuses the combination.
 * Size: 11 states without reduction.
 */

chan c = [0] of { bit };
bool b;

active proctype A()
{
start:	c!0;
	goto start
}

active proctype B()
{
start:	c!1;
	b = true;
	goto start
}

active proctype C()
{
	bit x;

start:	c?x;
	x = 0;
	goto start
}

ltl reached { <> b }
