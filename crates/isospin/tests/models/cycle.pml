/* A sets the turn for ever, B takes it back: what can be said of infinite executions? */
byte turn;

active proctype A() {
accept_set:
	do
	:: turn = 1
	od
}

active proctype B() {
end:
	do
	:: turn == 1 ->
progress:
		turn = 0
	od
}

ltl answered { [] (turn == 1 -> <> (turn == 0)) }
ltl small { [] (turn <= 1) }
