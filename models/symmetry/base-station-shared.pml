/*
 * A base station lends radio channels to mobile stations; shared variables.
 *
 * From: D. Bosnacki, D. Dams, L. Holenderski, Symmetric Spin (chapter 6 of
 *       Bosnacki's thesis), section 5.4, first model: a simplification of the
 *       MASCARA protocol. The source describes it in words; this is a model
 *       after that description.
 *
 * A mobile station that wants to send to another asks the base station for a
 * radio channel. When one is free it is lent to the sender, who puts the
 * message on it. A station that wants to receive asks the base station, and is
 * lent the channel on which something waits for it. Both give the channel
 * back, and when both have, it is free. A request that cannot be met is
 * refused, and the station may try something else.
 *
 * Symmetric in the stations: the sender and the receiver of a channel and the
 * caller are names. Channels are lent in order, and are not symmetric.
 *
 * Parameters: N, mobile stations (2); M, radio channels (2).
 *
 * Expect: no errors: the right station gets the message, and a lent channel is
 *         never free.
 *   received  violated with and without weak fairness: nobody has to listen.
 *   all_free  violated with and without weak fairness: somebody may always be
 *             using some channel.
 * The table's states without reduction for M = 2 (its model differs in
 *   details): N=2 15621, N=3 more than fitted; with symmetry 7812 and 3.4
 *   million.
 * Size: 4870 states without reduction.
 */

#ifndef N
#define N 2
#endif
#ifndef M
#define M 2
#endif

#define NOBODY N
#define NONE   M

mtype = { silent, send, receive, give_back };   /* what the caller wants */
mtype = { pending, granted, refused };          /* what it is told */

byte caller = NOBODY;           /* the one who is talking to the base station */
mtype wish = silent;
byte wanted = NOBODY;           /* the station that the caller wants */
byte returned = NONE;           /* the channel that the caller returns */
mtype answer = pending;
byte lent = NONE;               /* the channel that is lent by the answer */

byte sender[M] = NOBODY;        /* a channel's users, as the base station sees it */
byte receiver[M] = NOBODY;
bool sent[M], got[M];           /* the sender, the receiver has given it back */
byte air[M] = NOBODY;           /* to whom the message on the channel is addressed */
byte unused = M;                /* channels that are free */

inline ask(w, station, channel)
{
	atomic {
		caller == NOBODY -> caller = me; wish = w;
		wanted = station; returned = channel
	};
	answer != pending
}

inline hang_up()
{
	atomic {
		answer = pending; wish = silent; lent = NONE;
		wanted = NOBODY; returned = NONE;
		caller = NOBODY
	}
}

proctype Mobile(byte me)
{
	byte to = NOBODY, c = NONE;

	do
	:: atomic {                             /* to anybody else */
		select(to : 0 .. N - 1);
		if
		:: to == me -> to = NOBODY; goto again
		:: else
		fi
	   };
	   ask(send, to, NONE);
	   atomic { c = lent; hang_up() };
	   if
	   :: c != NONE ->
	      air[c] = to;
	      ask(give_back, NOBODY, c);
	      hang_up()
	   :: else
	   fi;
again:	   atomic { to = NOBODY; c = NONE }
	:: ask(receive, NOBODY, NONE);
	   atomic { c = lent; hang_up() };
	   if
	   :: c != NONE ->
	      air[c] != NOBODY;
	      assert(air[c] == me);
	      air[c] = NOBODY;
	      ask(give_back, NOBODY, c);
	      hang_up()
	   :: else
	   fi;
	   c = NONE
	od
}

/* find a channel c for which "fits" is true, NONE if there is none */
inline find(fits)
{
	c = 0;
	do
	:: c < M && fits -> break
	:: c < M && !(fits) -> c++
	:: c == M -> break
	od
}

proctype Base()
{
	byte c;

	do
	:: atomic {
		caller != NOBODY && answer == pending;
		if
		:: wish == send ->
		   find(sender[c] == NOBODY && receiver[c] == NOBODY);
		   if
		   :: c < M ->
		      sender[c] = caller; receiver[c] = wanted;
		      unused--;
		      lent = c; answer = granted
		   :: else -> answer = refused
		   fi
		:: wish == receive ->
		   find(receiver[c] == caller && !got[c] && sender[c] != NOBODY);
		   if
		   :: c < M -> got[c] = true; lent = c; answer = granted
		   :: else -> answer = refused
		   fi
		:: wish == give_back ->
		   c = returned;
		   if
		   :: sender[c] == caller -> sender[c] = NOBODY; sent[c] = true
		   :: else -> receiver[c] = NOBODY
		   fi;
		   if
		   :: sender[c] == NOBODY && receiver[c] == NOBODY ->
		      sent[c] = false; got[c] = false; unused++
		   :: else
		   fi;
		   answer = granted
		fi;
		c = 0
	   }
	od
}

init
{
	byte i;

	atomic {
		run Base();
		for (i : 0 .. N - 1) {
			run Mobile(i)
		}
		i = 0
	}
}

ltl received { [] (sent[0] -> <> !sent[0]) }
ltl all_free { [] <> (unused == M) }
