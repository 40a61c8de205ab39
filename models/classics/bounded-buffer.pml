/*
 * Producers and consumers who share a bounded buffer, with semaphores.
 *
 * From: E. W. Dijkstra, Cooperating sequential processes (EWD 123), 1965.
 *
 * "free" and "used" count places, "mutex" guards the buffer's indices.
 *
 * Parameters: P, producers (2); C, consumers (2); SIZE, places (3).
 *             With -DWRONG_ORDER the producer takes the mutex before it waits
 *             for a free place, the classical slip: deadlock.
 *
 * Expect: no errors; with -DWRONG_ORDER, invalid end state.
 *   bounded   holds: never more items than places, never less than none.
 *   consumed  holds even without fairness: the buffer fills or empties before
 *             long, and then the other side must move.
 * Size: 972 states without reduction.
 */

#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef SIZE
#define SIZE 3
#endif

#define down(s) atomic { s > 0 -> s-- }
#define up(s)   s++

byte free = SIZE, used = 0, mutex = 1;
byte head, tail;
bool full_place[SIZE];

active [P] proctype Producer()
{
	do
	::
#ifdef WRONG_ORDER
	   down(mutex); down(free);
#else
	   down(free); down(mutex);
#endif
	   d_step {
		assert(!full_place[tail]);
		full_place[tail] = true;
		tail = (tail + 1) % SIZE
	   };
	   up(mutex); up(used)
	od
}

active [C] proctype Consumer()
{
	do
	:: down(used); down(mutex);
	   d_step {
		assert(full_place[head]);
		full_place[head] = false;
		head = (head + 1) % SIZE
	   };
	   up(mutex); up(free)
	od
}

ltl bounded  { [] (free + used <= SIZE) }
ltl consumed { [] <> !full_place[0] && [] <> full_place[0] }
