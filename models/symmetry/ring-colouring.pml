/*
 * Colouring a ring: a process that has the colour of a neighbour picks another
 * one, until no two neighbours have the same.
 *
 * After the idea of: E. W. Dijkstra, Self-stabilizing systems in spite of
 *       distributed control, CACM 17(11), 1974.
 *
 * Symmetric as a ring whose neighbours are treated alike: N rotations and N
 * reflections, and nothing else from N=4 on.
 *
 * Parameters: N, the number of processes (5), at least 3; C, the number of
 *             colours (3).
 *
 * Expect: no errors.
 * Size: 81 states without reduction.
 */
#ifndef N
#define N 5
#endif
#ifndef C
#define C 3
#endif

#define LEFT  ((_pid + N - 1) % N)
#define RIGHT ((_pid + 1) % N)

byte colour[N];

active [N] proctype P()
{
	byte next;
end:	do
	:: atomic {
		colour[_pid] == colour[LEFT] || colour[_pid] == colour[RIGHT] ->
		select(next : 0 .. C - 1);
		if
		:: next != colour[LEFT] && next != colour[RIGHT] -> colour[_pid] = next
		:: else                         /* no use: again */
		fi;
		next = 0
	   }
	od
}
