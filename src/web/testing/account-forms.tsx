/** The forms of the account: of guests, of a reset link, and of the profile. */
import { useEffect } from "react";
import type { AuthMode, useAuthDialog } from "../lib/auth/auth-dialog.ts";
import { sessionOf } from "./open-page.tsx";
import { PERSON } from "./person.ts";
import { STORED } from "./stored-rows.ts";
import { press, type TypedForm } from "./typed-form.ts";

const account = async () => (await import("../features/account/account.tsx")).Account;
const reset = async () => (await import("../features/reset-password/reset-password.tsx")).ResetPassword;
const dialog = (mode: AuthMode) => async () => {
  // The one that the page was rendered with.
  const { useAuthDialog: useDialog }: { useAuthDialog: typeof useAuthDialog } = await import(
    "../lib/auth/auth-dialog.ts"
  );
  return function OpensDialog() {
    const { open } = useDialog();
    useEffect(() => open(mode), [open]);
    return null;
  };
};
const PASSWORD = ["What I typed", "What I typed whole"] as const;
const EMAIL = ["ana@", "ana.typed@example.com"] as const;
const DONE = () => ({});
const LINK_WITH_SESSION = `/reset-password#${new URLSearchParams({
  access_token: sessionOf(PERSON).access_token,
  refresh_token: "r",
  expires_in: "3600",
  token_type: "bearer",
  type: "recovery",
})}`;
const PROFILE = { load: account, address: "/profile" };
const GUEST = { user: "guest", address: "/" } as const;

export const ACCOUNT_FORMS: readonly TypedForm[] = [
  {
    ...PROFILE,
    name: "the name in the profile",
    file: "account/details-panel.tsx",
    open: () => press(/^Change name/),
    label: /^(Full|New|Your)? ?name/i,
    answers: { "PUT user": () => STORED.user?.() },
    save: [/^Save name/],
  },
  {
    ...PROFILE,
    name: "the password",
    isForgotten: "a secret",
    file: "account/password-panel.tsx",
    answers: { "PUT user": () => STORED.user?.() },
    open: () => press(/^Change password/),
    others: [
      [/^Current password/, "former password"],
      [/^New password again/, PASSWORD[1]],
    ],
    label: /^New password$/,
    text: PASSWORD,
    save: [/^Save password/],
  },
  {
    ...PROFILE,
    name: "the address of an account without one",
    file: "account/add-email.tsx",
    user: { ...PERSON, email: "" },
    answers: {
      profiles: () => ({ ...(STORED.profiles?.() as object), email: null }),
      user: () => ({ ...(STORED.user?.() as object), email: "" }),
      "PUT user": () => ({ ...(STORED.user?.() as object), email: "", new_email: EMAIL[1] }),
    },
    open: () => press(/^Add an email/),
    label: /^Email/,
    text: EMAIL,
    save: [/^Send me a link/],
  },
  {
    ...PROFILE,
    name: "the deletion of the account",
    isForgotten: "a secret",
    file: "account/delete-dialog.tsx",
    answers: { "rpc delete_my_account": DONE, "POST logout": DONE },
    open: () => press(/^Delete my account/),
    others: [[/^Confirmation word/, "delete"]],
    label: /^Current password/,
    text: PASSWORD,
    save: [/^Delete for good/],
  },
  {
    ...PROFILE,
    name: "the end of the sign-in with Telegram",
    isForgotten: "a secret",
    file: "account/telegram-panel.tsx",
    answers: {
      "config.json": () => ({ ...(STORED["config.json"]?.() as object), canLinkTelegram: true }),
      user: () => ({
        ...(STORED.user?.() as object),
        identities: [{ provider: "custom:telegram", identity_data: { full_name: "Ana" } }],
      }),
      "rpc unlink_telegram": DONE,
    },
    open: () => press(/^Unlink Telegram/),
    label: /^Current password/,
    text: PASSWORD,
    save: [/^Unlink$/],
  },
  {
    name: "the sign-in",
    isForgotten: "a secret",
    file: "auth/auth-forms.tsx",
    ...GUEST,
    load: dialog("signin"),
    answers: { token: () => sessionOf(PERSON) },
    others: [[/^Email/, EMAIL[1]]],
    label: /^Password/,
    text: PASSWORD,
    save: [/^Sign in$/],
  },
  {
    name: "the sign-up",
    isForgotten: "a secret",
    file: "auth/sign-up-form.tsx",
    ...GUEST,
    load: dialog("signup"),
    answers: { "POST signup": () => sessionOf(PERSON) },
    others: [
      [/^Full name/, "Ana"],
      [/^Password/, PASSWORD[1]],
    ],
    label: /^Email/,
    text: EMAIL,
    save: [/^Create account/],
  },
  {
    name: "the request of a reset link",
    isForgotten: "a secret",
    file: "auth/auth-forms.tsx",
    ...GUEST,
    load: dialog("forgot-password"),
    answers: { "POST recover": DONE },
    label: /^Email/,
    text: EMAIL,
    save: [/^Send reset link/],
  },
  {
    name: "the new password of a signed-in person",
    isForgotten: "a secret",
    file: "reset-password/reset-form.tsx",
    load: reset,
    address: "/reset-password",
    answers: { "PUT user": () => STORED.user?.() },
    others: [[/^Confirm Password/, PASSWORD[1]]],
    label: /^New Password/,
    text: PASSWORD,
    save: [/^Reset Password/],
  },
  {
    name: "the new password of a reset link",
    isForgotten: "a secret",
    file: "reset-password/reset-form.tsx",
    load: reset,
    user: "guest",
    address: LINK_WITH_SESSION,
    answers: { "PUT user": () => STORED.user?.(), "POST logout": DONE },
    others: [[/^Confirm Password/, PASSWORD[1]]],
    label: /^New Password/,
    text: PASSWORD,
    save: [/^Reset Password/],
  },
];
