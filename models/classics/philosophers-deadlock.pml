/*
 * Dining philosophers who all reach for the left fork first.
 *
 * From: E. W. Dijkstra, Hierarchical ordering of sequential processes
 *       (EWD 310), 1971; the story is C. A. R. Hoare's.
 *
 * Every fork is a channel with one place: a message in it is the fork on the
 * table. When each philosopher holds the left fork, nobody can go on.
 *
 * Parameters: N, the number of philosophers (4).
 *
 * Expect: invalid end state (the deadlock).
 *   someone_eats  violated with and without weak fairness, by the deadlock.
 * Size: 391 states without reduction.
 */

#ifndef N
#define N 4
#endif

#define RIGHT ((_pid + 1) % N)

chan fork[N] = [1] of { bit };
byte eating;

active [N] proctype Philosopher()
{
	fork[_pid]!0;                   /* lay the fork on the table */
	do
	:: fork[_pid]?0;
	   fork[RIGHT]?0;
	   eating++;
	   eating--;
	   fork[RIGHT]!0;
	   fork[_pid]!0
	od
}

ltl someone_eats { [] <> (eating > 0) }
