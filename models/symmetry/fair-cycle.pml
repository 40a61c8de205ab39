/*
 * A fair cycle that a careless quotient loses.
 *
 * From: D. Bosnacki's thesis, chapter 7, figures 9 to 12; the example is
 *       D. Dams's.
 *
 * Two processes with the same text. The first to move owns the token, in
 * phase A. The owner may go from A to B and back, and in B it may hand the
 * token to the other. Whoever does not own the token can only spoil the game.
 * The graph has the figure's 7 states: s0 is START; s1, s2, s5 are A, B and
 * SPOILT with the first process as owner; s4, s3, s6 the same with the second.
 *
 * The cycle s1 s2 s3 s2 s1 is fair and visits A for ever: the first process
 * hands the token over, the second hands it back. In the quotient under
 * symmetry s2 and s3 are one state, every step of that cycle seems to be taken
 * by the first process, and a search for fair cycles that forgets who is who
 * finds none.
 *
 * Symmetric in the processes.
 *
 * Parameters: none.
 *
 * Expect: no errors.
 *   leaves_A  (from some time on never in A) violated with and without weak
 *             fairness, by the cycle above.
 * States: 7 and the initial one before the processes are started; 4 orbits
 *   and the initial one.
 * Size: 8 states without reduction.
 */

mtype = { START, A, B, SPOILT };

#define NOBODY 2

mtype phase = START;
byte owner = NOBODY;

proctype P(byte me; byte you)
{
	do
	:: atomic { phase == START -> phase = A; owner = me }
	:: atomic { phase == A && owner == me -> phase = B }
	:: atomic { phase == B && owner == me -> phase = A }
	:: atomic { phase == B && owner == me -> owner = you }
	:: atomic { phase == A && owner == you -> phase = SPOILT }
	:: atomic { phase == B && owner == you -> phase = SPOILT }
	:: phase == SPOILT
	od
}

init
{
	atomic {
		run P(0, 1);
		run P(1, 0)
	}
}

ltl leaves_A { <> [] (phase != A) }
