/*
 * Dekker's algorithm: the first correct software solution for mutual
 * exclusion of two processes.
 *
 * From: Th. J. Dekker; published by E. W. Dijkstra, Cooperating sequential
 *       processes (EWD 123), 1965.
 *
 * Parameters: none.
 *
 * Expect: no errors.
 *   mutex      holds.
 *   no_starve  violated without fairness; holds with weak fairness.
 *   alternate  violated in both cases: nothing forces strict alternation.
 * Size: 146 states without reduction.
 */

bool wants[2];
bit  turn;
byte inside;

active [2] proctype P()
{
	pid other = 1 - _pid;

	do
	:: wants[_pid] = true;
try:	   do
	   :: !wants[other] -> break
	   :: wants[other] ->
	      if
	      :: turn == _pid
	      :: turn == other ->
	         wants[_pid] = false;
	         (turn == _pid);
	         wants[_pid] = true
	      fi
	   od;
	   inside++;
crit:	   assert(inside == 1);
	   inside--;
	   turn = other;
	   wants[_pid] = false
	od
}

ltl mutex     { [] (inside <= 1) }
ltl no_starve { [] (P[0]@try -> <> P[0]@crit) }
ltl alternate { [] (P[0]@crit -> (P[0]@crit W (!P[0]@crit W P[1]@crit))) }
