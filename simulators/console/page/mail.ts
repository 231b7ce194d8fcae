import { act, ask, oneAtATime } from "./api.ts";
import { button, choiceButton, createList, element, form } from "./element.ts";

type Mail = {
  id: string;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
};

/** The mails received over SMTP, newest first, with working links. Returns a function that cleans up. */
export async function showMail(ground: HTMLElement): Promise<() => void> {
  const list = element("ul", {});
  const reader = element("section", {});
  ground.append(element("div", { className: "mail" }, element("div", {}, questionForm(), list), reader));

  // New mails appear in the list. The open mail stays open until another one is opened.
  let openId = "";
  const show = (mail: Mail) => {
    openId = mail.id;
    reader.replaceChildren(readerOf(mail));
    for (const entry of list.querySelectorAll("button")) {
      entry.setAttribute("aria-pressed", String(entry.dataset.id === openId));
    }
  };
  const showList = createList<Mail>(
    list,
    ({ id }) => id,
    (mail) => entryOf(mail, () => show(mail)),
  );
  const refresh = oneAtATime(async () => {
    const mails = await ask<Mail[]>("mail");
    showList(mails);
    if (mails.length === 0) reader.replaceChildren(emptyNote());
    else if (openId === "" && mails[0]) show(mails[0]);
  });
  const events = new EventSource("/api/mail/events");
  events.addEventListener("mail", () => void refresh());
  // Load mails that arrived before the event stream was open or while it was down.
  events.addEventListener("open", () => void refresh());
  await refresh();
  return () => events.close();
}

/** A form that sends Gmail's forwarding question to an address. */
function questionForm(): HTMLElement {
  const email = element("input", {
    type: "email",
    placeholder: "Address to forward to",
    required: true,
    ariaLabel: "Address to forward to",
  });
  const note = element("output", {});
  const ask = async () => {
    try {
      const { code } = await act<{ code: string }>("mail/forwarding-question", { email: email.value });
      note.textContent = `Gmail asks with code ${code}.`;
    } catch (error) {
      note.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  return element("div", {}, form([email, element("button", {}, "Let Gmail ask")], ask), note);
}

function entryOf({ id, subject, to, receivedAt }: Mail, open: () => void): HTMLElement {
  const entry = choiceButton("", false, open);
  entry.dataset.id = id;
  const when = new Date(receivedAt).toLocaleTimeString();
  entry.append(
    element("strong", {}, subject || "(no subject)"),
    element("small", {}, `${to.join(", ")} · ${when}`),
  );
  return element("li", {}, entry);
}

function readerOf({ subject, from, to, html, text }: Mail): HTMLElement {
  const body = element("div", {}, html ? htmlView(html) : element("pre", {}, text));
  const head = element(
    "header",
    {},
    element("h2", {}, subject),
    element("small", {}, `From ${from} to ${to.join(", ")}`),
    element("br", {}),
    button("As it looks", () => body.replaceChildren(htmlView(html))),
    button("Plain text", () => body.replaceChildren(element("pre", {}, text))),
  );
  return element("article", {}, head, body);
}

/** Shows the mail in a sandboxed frame without scripts. Its links open in a new tab. */
function htmlView(html: string): HTMLElement {
  const view = element("iframe", { title: "The mail" });
  view.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox");
  view.srcdoc = `<base target="_blank">${html}`;
  return view;
}

function emptyNote(): HTMLElement {
  const note = "No mail yet. Ask for a password reset on the site, and it lands here.";
  return element("p", { className: "empty" }, note);
}
