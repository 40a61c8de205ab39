-- Peterson's algorithm for N processes, as ../peterson-n.pml has it, for Murphi's descendants.
-- Set the number of processes by changing N.

const
  N: 3;

type
  Name: scalarset(N);
  Step: 0 .. N;
  Place: enum { START, SET_FLAG, SET_TURN, WAIT, ENTER, CHECK, LEAVE, DOWN };

var
  flag: array [Name] of Step;
  turn: array [1 .. N - 1] of Name;
  step: array [Name] of Step;
  at: array [Name] of Place;
  inside: 0 .. N;

startstate
begin
  for me: Name do
    flag[me] := 0;
    step[me] := 0;
    at[me] := START;
  end;
  inside := 0;
end;

ruleset me: Name do

  rule "start" at[me] = START ==>
  begin
    step[me] := 1;
    at[me] := SET_FLAG;
  end;

  rule "set the flag" at[me] = SET_FLAG & step[me] < N ==>
  begin
    flag[me] := step[me];
    at[me] := SET_TURN;
  end;

  rule "on top" at[me] = SET_FLAG & step[me] = N ==>
  begin
    step[me] := 0;
    at[me] := ENTER;
  end;

  rule "set the turn" at[me] = SET_TURN ==>
  begin
    turn[step[me]] := me;
    at[me] := WAIT;
  end;

  rule "go on" at[me] = WAIT &
    (turn[step[me]] != me | forall j: Name do j = me | flag[j] < step[me] end) ==>
  begin
    step[me] := step[me] + 1;
    at[me] := SET_FLAG;
  end;

  rule "enter" at[me] = ENTER ==>
  begin
    inside := inside + 1;
    at[me] := CHECK;
  end;

  rule "check" at[me] = CHECK ==>
  begin
    assert "mutual exclusion" inside = 1;
    at[me] := LEAVE;
  end;

  rule "leave" at[me] = LEAVE ==>
  begin
    inside := inside - 1;
    at[me] := DOWN;
  end;

  rule "take the flag down" at[me] = DOWN ==>
  begin
    flag[me] := 0;
    at[me] := START;
  end;

end;
