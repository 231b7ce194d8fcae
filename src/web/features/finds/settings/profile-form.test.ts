import { expect, test } from "vitest";
import {
  changedAnswers,
  followSaved,
  formOf,
  lengthOf,
  type ProfileForm,
  resolveConflict,
} from "./profile-form.ts";

const SAVED = { who: "Ana", job: "Enfermera", movingFrom: "", about: "" };
const typing = (form: ProfileForm, typed: Partial<typeof SAVED>): ProfileForm => ({
  ...form,
  typed: { ...form.typed, ...typed },
});

test("FIND-05 a save writes only changed answers; surrounding spaces are not a change", () => {
  expect(changedAnswers(typing(formOf(SAVED), { who: " Ana ", job: "", about: "\n Para años " }))).toEqual({
    job: "",
    about: "Para años",
  });
});

test("FIND-05 an answer saved on another device shows if it was not edited here, and never overwrites input", () => {
  const form = followSaved(typing(formOf(SAVED), { job: "Médica" }), { ...SAVED, who: "Ana y Luis" });
  expect(form.typed).toEqual({ ...SAVED, who: "Ana y Luis", job: "Médica" });
  expect(form.elsewhere).toEqual({});
  expect(changedAnswers(form)).toEqual({ job: "Médica" });
});

test("FIND-05 the person is asked about an answer changed on two devices, and the other answers stay", () => {
  const form = followSaved(typing(formOf(SAVED), { job: "Médica", about: "Luz" }), {
    ...SAVED,
    job: "Jueza",
  });
  expect(form.elsewhere).toEqual({ job: "Jueza" });
  const mine = resolveConflict(form, "job", "mine");
  expect([mine.elsewhere, changedAnswers(mine)]).toEqual([{}, { job: "Médica", about: "Luz" }]);
  const theirs = resolveConflict(form, "job", "theirs");
  expect([theirs.typed.job, changedAnswers(theirs)]).toEqual(["Jueza", { about: "Luz" }]);
});

test("FIND-05 a length is counted in characters, as in the database", () => {
  expect([lengthOf(" añb "), lengthOf("👩‍⚕️"), lengthOf("")]).toEqual([3, 4, 0]);
});
