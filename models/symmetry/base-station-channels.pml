/*
 * A base station lends radio channels to mobile stations; message passing.
 *
 * From: D. Bosnacki, D. Dams, L. Holenderski, Symmetric Spin (chapter 6 of
 *       Bosnacki's thesis), section 5.4, second model. The source describes it
 *       in words; this is a model after that description.
 *
 * As base-station-shared.pml, but a station either sends or receives, and all
 * communication goes through Promela channels: one to the base station, one to
 * each mobile station, and the radio channels themselves.
 *
 * Two independent families: senders and receivers. The names of both travel in
 * messages, and the radio channels are channels inside messages.
 *
 * Parameters: NS, sending stations (2); NR, receiving stations (2);
 *             M, radio channels (1).
 *
 * Expect: no errors: a message reaches the station that it was meant for.
 *   received  violated with and without weak fairness: a receiver's call is
 *             not always possible, because others keep the line busy.
 * The table's states without reduction (its model differs in details): NS=2
 *   NR=2 9.0 million, with symmetry 2.3 million, with both reductions 1.2.
 * Size: 15232 states without reduction.
 */

#ifndef NS
#define NS 2
#endif
#ifndef NR
#define NR 2
#endif
#ifndef M
#define M 1
#endif

#define NOBODY 255

mtype = { want_channel, any_message, back_from_sender, back_from_receiver };
mtype = { here_it_is, not_now };

/* to the base station: what, who asks, for whom or which channel */
chan base = [1] of { mtype, byte, byte };
chan to_sender[NS]   = [1] of { mtype, byte };
chan to_receiver[NR] = [1] of { mtype, byte };
chan radio[M] = [1] of { byte };        /* the message: its addressee */

proctype Sender(byte me; chan in)
{
	byte to, c;

	xr in;

	do
	:: atomic { select(to : 0 .. NR - 1); base!want_channel(me, to) };
	   if
	   :: in?here_it_is(c);
	      radio[c]!to;
	      base!back_from_sender(me, c)
	   :: in?not_now(_)
	   fi;
	   atomic { to = 0; c = 0 }
	od
}

proctype Receiver(byte me; chan in)
{
	byte c, addressee;

	xr in;

	do
	:: base!any_message(me, 0);
	   if
	   :: in?here_it_is(c);
	      radio[c]?addressee;
got_it:	      assert(addressee == me);
	      base!back_from_receiver(me, c)
	   :: in?not_now(_)
	   fi;
	   atomic { c = 0; addressee = 0 }
	od
}

proctype Base()
{
	byte for_whom[M] = NOBODY;      /* the receiver of a channel in use */
	byte users[M];                  /* how many have still to give it back */
	bool asked[M];                  /* the receiver has been told */
	byte who, x, c;

	do
	:: atomic { base?want_channel(who, x) ->
		do
		:: c < M && users[c] == 0 ->
		   users[c] = 2; for_whom[c] = x;
		   to_sender[who]!here_it_is(c);
		   break
		:: c < M && users[c] != 0 -> c++
		:: c == M -> to_sender[who]!not_now(0); break
		od;
		who = 0; x = 0; c = 0
	   }
	:: atomic { base?any_message(who, _) ->
		do
		:: c < M && for_whom[c] == who && !asked[c] ->
		   asked[c] = true;
		   to_receiver[who]!here_it_is(c);
		   break
		:: c < M && (for_whom[c] != who || asked[c]) -> c++
		:: c == M -> to_receiver[who]!not_now(0); break
		od;
		who = 0; c = 0
	   }
	:: atomic { base?back_from_sender(_, c) ->
give_back:	assert(users[c] > 0);
		users[c]--;
		if
		:: users[c] == 0 -> for_whom[c] = NOBODY; asked[c] = false
		:: else
		fi;
		c = 0
	   }
	:: atomic { base?back_from_receiver(_, c) -> goto give_back }
	od
}

init
{
	byte i;

	atomic {
		run Base();
		for (i : 0 .. NS - 1) {
			run Sender(i, to_sender[i])
		}
		for (i : 0 .. NR - 1) {
			run Receiver(i, to_receiver[i])
		}
		i = 0
	}
}

ltl received { [] (len(radio[0]) == 1 -> <> (len(radio[0]) == 0)) }
