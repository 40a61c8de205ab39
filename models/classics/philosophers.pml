/*
 * Dining philosophers, repaired: one of them is left-handed.
 *
 * From: E. W. Dijkstra, EWD 310, 1971. The repair orders the forks, so that
 *       no circle of philosophers can wait for each other.
 *
 * Parameters: N, the number of philosophers (5).
 *
 * Expect: no errors.
 *   someone_eats  holds: whatever the others do, they block before long
 *                 unless someone eats.
 *   first_eats    violated with and without weak fairness: the neighbours of a
 *                 philosopher may take the forks in turn, so that he is never
 *                 able to take one for good. Weak fairness does not help
 *                 against that; strong fairness would.
 * Size: 603 states without reduction.
 */

#ifndef N
#define N 5
#endif

#define LEFT  _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];
byte eating;

active [N] proctype Philosopher()
{
	byte first  = (_pid == N - 1 -> RIGHT : LEFT);
	byte second = (_pid == N - 1 -> LEFT : RIGHT);

	do
	:: atomic { !taken[first]  -> taken[first]  = true };
	   atomic { !taken[second] -> taken[second] = true };
eat:	   eating++;
	   eating--;
	   taken[second] = false;
	   taken[first]  = false
	od
}

ltl someone_eats { [] <> (eating > 0) }
ltl first_eats   { [] <> Philosopher[0]@eat }
