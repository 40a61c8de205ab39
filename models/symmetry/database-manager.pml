/*
 * The data base managers: one changes the data, the others are told.
 *
 * From: A. Valmari, Stubborn sets for reduced state space generation, 1990,
 *       after H. J. Genrich's and K. Jensen's Petri net; used in D. Bosnacki,
 *       D. Dams, L. Holenderski, Symmetric Spin (chapter 6 of Bosnacki's
 *       thesis), table 2, and in Bosnacki's nested search with symmetry,
 *       table 1.
 *
 * A manager reserves the data base and writes to all the others in one step.
 * Each of them reads its message and then acknowledges, concurrently. When all
 * acknowledgements are there the manager reads them, releases the data base,
 * and is inactive again.
 *
 * A manager is two processes, one that modifies and one that is told, because
 * reading a message must not stand beside the attempt to reserve, which is
 * global.
 *
 * Symmetric in the managers. The messages travel over channels that one
 * process alone reads (inbox) or writes (done).
 *
 * Parameters: N, the number of managers, 2 to 16 (7).
 *
 * Expect: no errors.
 *   answered  holds, without fairness.
 * States: N * 3^(N-1) + N + 2 without reduction, exactly as in the table; with
 *   symmetry N(N+1)/2 + 3 orbits. The table has 2 * N^2 + 2 with partial-order
 *   reduction and 2N + 2 with both.
 * Size: 5112 states without reduction.
 */

#ifndef N
#define N 7
#endif

/* manager k is me or has answered, for every k below N */
#define HAS(k)   (k >= N || me == k || nempty(done[k % N]))
#define ALL_DONE (HAS(0) && HAS(1) && HAS(2) && HAS(3) && HAS(4) && HAS(5) && \
                  HAS(6) && HAS(7) && HAS(8) && HAS(9) && HAS(10) && HAS(11) && \
                  HAS(12) && HAS(13) && HAS(14) && HAS(15))

chan inbox[N] = [1] of { bit };
chan done[N]  = [1] of { bit };
bool reserved;

/* a manager, as the one who modifies */
proctype Manager(byte me)
{
	byte j;

	do
	:: atomic {                             /* modify, and tell the others */
		!reserved;
		reserved = true;
		for (j : 0 .. N - 1) {
			if
			:: j != me -> inbox[j]!1
			:: else
			fi
		}
		j = 0
	   };
waiting:   atomic {                             /* all answers are there: read them */
		ALL_DONE;
		for (j : 0 .. N - 1) {
			if
			:: j != me -> done[j]?1
			:: else
			fi
		}
		j = 0
	   };
	   reserved = false
	od
}

/* the same manager, as one who is told */
proctype Replica(chan in, out)
{
	xr in;
	xs out;

end:	do
	:: in?1 ->                              /* somebody else modified */
	   out!1
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run Manager(i)
		}
		for (i : 0 .. N - 1) {
			run Replica(inbox[i], done[i])
		}
		i = 0
	}
}

ltl answered { [] (reserved -> <> !reserved) }
