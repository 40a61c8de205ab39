/* Processes in a line, each with a lock between it and the next; whoever works holds the
 * locks on both sides, the left one first. */

#ifndef N
#define N 6
#endif

bool lock[N + 1];

active [N] proctype Worker()
{
	byte rounds;
	do
	:: atomic { !lock[_pid] -> lock[_pid] = true };
	   if
	   :: atomic { !lock[_pid + 1] -> lock[_pid + 1] = true };
	      rounds = (rounds + 1) % 3;
	      lock[_pid + 1] = false
	   :: skip
	   fi;
	   lock[_pid] = false
	od
}
