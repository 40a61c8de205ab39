/*
 * A cycle that a reduced nested search finds only if its second search makes
 * the choices of the first.
 *
 * From: G. J. Holzmann, D. Peled, M. Yannakakis, On nested depth first search,
 *       SPIN 1996, figure 3, made into processes.
 *
 * P goes from one to two (accepting) or to three; two leads to three, and
 * three back to one. Q has a single step to make at any time. With Q's step
 * postponed, the first search sees P's graph; in the second search the stack
 * is different, the condition on cycles may choose other steps at "one", and a
 * search that lets it do so may lose its way back to the accepting state.
 *
 * Parameters: N, how many processes like Q there are (1).
 *
 * Expect: no errors.
 * Acceptance (label accept_two): a cycle is found, with and without weak
 *   fairness.
 * Size: 9 states without reduction.
 */

#ifndef N
#define N 1
#endif

byte moved;

active proctype P()
{
one:	if
	:: true -> goto accept_two
	:: true -> goto three
	fi;
accept_two:
	skip;
three:	skip;
	goto one
}

active [N] proctype Q()
{
	moved++
}
