-- The data base managers, as ../database-manager.pml has them, for Murphi's descendants.
-- Set the number of managers by changing N.

const
  N: 7;

type
  Name: scalarset(N);
  Place: enum { INACTIVE, READING, WAITING, RELEASING };

var
  at: array [Name] of Place;
  inbox: array [Name] of boolean;
  done: array [Name] of boolean;
  reserved: boolean;

startstate
begin
  for me: Name do
    at[me] := INACTIVE;
    inbox[me] := false;
    done[me] := false;
  end;
  reserved := false;
end;

ruleset me: Name do

  rule "modify, and tell the others" at[me] = INACTIVE & !reserved ==>
  begin
    reserved := true;
    for j: Name do
      if j != me then
        inbox[j] := true;
      end;
    end;
    at[me] := WAITING;
  end;

  rule "read the message" at[me] = INACTIVE & inbox[me] ==>
  begin
    inbox[me] := false;
    at[me] := READING;
  end;

  rule "answer" at[me] = READING & !done[me] ==>
  begin
    done[me] := true;
    at[me] := INACTIVE;
  end;

  rule "all answers are there" at[me] = WAITING & forall j: Name do j = me | done[j] end ==>
  begin
    for j: Name do
      if j != me then
        done[j] := false;
      end;
    end;
    at[me] := RELEASING;
  end;

  rule "release" at[me] = RELEASING ==>
  begin
    reserved := false;
    at[me] := INACTIVE;
  end;

end;
