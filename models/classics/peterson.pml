/*
 * Peterson's algorithm: mutual exclusion for two processes.
 *
 * From: G. L. Peterson, Myths about the mutual exclusion problem,
 *       Information Processing Letters 12(3), 1981.
 *
 * Each process raises its flag, lets the other one go first, and waits until
 * the other is not interested or has let it go first in turn.
 *
 * Parameters: none (see symmetry/peterson-n.pml for N processes).
 *
 * Expect: no errors.
 *   mutex      holds.
 *   no_starve  violated, because the other process may run alone for ever;
 *              holds with weak fairness.
 * Size: 38 states without reduction.
 */

bool flag[2];
bit  turn;                      /* whose turn it is to go first */
byte inside;                    /* processes in the critical section */

active [2] proctype P()
{
	pid other = 1 - _pid;

try:
	flag[_pid] = true;
	turn = other;
	(!flag[other] || turn == _pid);
	inside++;
crit:
	assert(inside == 1);
	inside--;
	flag[_pid] = false;
	goto try
}

ltl mutex     { [] (inside <= 1) }
ltl no_starve { [] (P[0]@try -> <> P[0]@crit) }
