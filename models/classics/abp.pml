/*
 * The alternating-bit protocol over channels that lose messages.
 *
 * From: K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on
 *       reliable full-duplex transmission over half-duplex links, CACM 12(5),
 *       1969.
 *
 * The sender repeats a message until the acknowledgement carries the same
 * bit; the receiver takes a message whose bit is the expected one and
 * acknowledges all. Two processes do nothing but lose messages. Retransmission
 * is possible at any time, which covers every timer there could be.
 *
 * Parameters: MAX, how many different contents a message has (4);
 *             CAP, the capacity of either channel (2).
 *
 * Expect: no errors (messages arrive in order, none twice, none missing).
 *   delivered  violated with and without weak fairness: the channel may lose
 *              everything, and weak fairness between processes does not say
 *              that some message gets through.
 *   once       holds: a message is not taken twice.
 * Size: 2348 states without reduction.
 */

#ifndef MAX
#define MAX 4
#endif
#ifndef CAP
#define CAP 2
#endif

mtype = { msg, ack };

chan data  = [CAP] of { mtype, byte, bit };
chan reply = [CAP] of { mtype, bit };

byte sent;                      /* contents of the message under way */
bool accepted;                  /* the receiver took it */

active proctype Sender()
{
	bit b, r;

	do
	:: nfull(data) -> data!msg(sent, b)             /* send or repeat */
	:: reply?ack(r) ->
	   if
	   :: r == b -> atomic {
	        assert(accepted);
	        sent = (sent + 1) % MAX;
	        b = 1 - b;
	        accepted = false
	      }
	   :: else
	   fi;
	   r = 0
	od
}

active proctype Receiver()
{
	byte got, expected;
	bit  b, want;

	do
	:: data?msg(got, b);
	   if
	   :: b == want ->
	      assert(got == expected && !accepted);
new:	      atomic {
	        accepted = true;
	        expected = (expected + 1) % MAX;
	        want = 1 - want
	      }
	   :: else
	   fi;
	   atomic { got = 0; reply!ack(b); b = 0 }
	od
}

active proctype Lose_data()
{
end:	do
	:: data?_,_,_
	od
}

active proctype Lose_reply()
{
end:	do
	:: reply?_,_
	od
}

ltl delivered { [] <> Receiver@new }
ltl once      { [] (accepted -> !Receiver@new) }
