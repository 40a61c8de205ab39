/*
 * A lock that does not lock: a first counterexample.
 *
 * Both processes look whether the lock is free and then take it. Looking and
 * taking are two steps, so both may look before either takes. (This is the
 * first attempt at mutual exclusion in E. W. Dijkstra's EWD 123, 1965.)
 *
 * Parameters: N, the number of processes (2).
 *             With -DFIXED the two steps are one and the lock works.
 *
 * Expect: assertion violated (inside == 1); with -DFIXED, no errors.
 * Size: 52 states without reduction.
 */

#ifndef N
#define N 2
#endif

bool locked;
byte inside;

active [N] proctype Worker()
{
	do
	::
#ifdef FIXED
	   atomic { !locked -> locked = true };
#else
	   !locked;                     /* look ... */
	   locked = true;               /* ... and take: too late */
#endif
	   inside++;
	   assert(inside == 1);
	   inside--;
	   locked = false
	od
}
