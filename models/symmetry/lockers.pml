/*
 * Guests take any free locker, use it and give it back.
 *
 * From: written for this project, after the scalarsets of C. N. Ip and
 *       D. L. Dill, Better verification through symmetry, 1996.
 *
 * Two sets of names. Guests are processes; lockers are data, and only the
 * declaration says that they can change places.
 *
 * Parameters: N, guests (3); K, lockers (3).
 *
 * Expect: no errors.
 * Size: 1345 states without reduction.
 */

#include "scalarset.h"

#ifndef N
#define N 3
#endif
#ifndef K
#define K 3
#endif

scalarset(Guest, N) owner[K] = undefined;

proctype Visitor(scalarset(Guest, N) me)
{
	scalarset(Locker, K) mine;

	do
	:: atomic {
		select(mine : 0 .. K - 1);
		if
		:: owner[mine] == undefined -> owner[mine] = me
		:: else -> goto again
		fi
	   };
	   assert(owner[mine] == me);
	   owner[mine] = undefined;
again:	   skip
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Visitor(i)
		}
	}
}
