/*
 * Readers and writers: many may read, or one may write. Readers have priority.
 *
 * From: P. J. Courtois, F. Heymans, D. L. Parnas, Concurrent control with
 *       "readers" and "writers", CACM 14(10), 1971, problem 1.
 *
 * Parameters: R, readers (3); W, writers (2).
 *
 * Expect: no errors.
 *   exclusion     holds.
 *   writer_waits  (a writer gets in again and again) violated with and without
 *                 weak fairness: readers may keep the writers out for ever.
 *   together      violated, which shows that two readers can be in at once.
 * Progress (label progress_write): non-progress cycles exist, with and without
 *   weak fairness.
 * Size: 685 states without reduction.
 */

#ifndef R
#define R 3
#endif
#ifndef W
#define W 2
#endif

#define down(s) atomic { s -> s = false }
#define up(s)   s = true

bool mutex = true, room = true;         /* binary semaphores */
byte counted;                           /* readers who are in or going in */
byte reading, writing;

active [R] proctype Reader()
{
	do
	:: down(mutex);
	   counted++;
	   if
	   :: counted == 1 -> down(room)
	   :: else
	   fi;
	   up(mutex);
	   reading++;
	   assert(writing == 0);
	   reading--;
	   down(mutex);
	   counted--;
	   if
	   :: counted == 0 -> up(room)
	   :: else
	   fi;
	   up(mutex)
	od
}

active [W] proctype Writer()
{
	do
	:: down(room);
	   writing++;
progress_write:
	   assert(writing == 1 && reading == 0);
	   writing--;
	   up(room)
	od
}

ltl exclusion    { [] (writing == 0 || (writing == 1 && reading == 0)) }
ltl writer_waits { [] <> (writing == 1) }
ltl together     { [] (reading < 2) }
