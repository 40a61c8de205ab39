/* One process per reason to wait. */
chan meeting = [0] of { byte };
chan empty_one = [2] of { byte };
chan full_one = [1] of { byte };
chan ordered = [2] of { byte };
byte x = 1;

proctype Sender() { meeting!1 }
proctype Receiver() { byte m; empty_one?m }
proctype Filler() { full_one!2 }
proctype Picky() { ordered?7 }
proctype Condition() { x == 3 && x < 9 }
proctype Provided() provided (x > 5) { x = 0 }

init {
	atomic {
		full_one!1;
		ordered!8;
		run Sender();
		run Receiver();
		run Filler();
		run Picky();
		run Condition();
		run Provided()
	}
}
