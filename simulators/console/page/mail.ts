import { createDrawings, element, oneAtATime, setChildren } from "./element.ts";

type Mail = {
  id: string;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
};

/** The mail tab: what was sent over SMTP, newest first, with its links alive. Returns how to leave it. */
export async function showMail(main: HTMLElement): Promise<() => void> {
  const list = document.createElement("ul");
  const reader = document.createElement("section");
  const frame = document.createElement("div");
  frame.className = "mail";
  frame.append(list, reader);
  main.append(frame);

  const drawingOf = createDrawings();
  // What arrives shows in the list; what is open stays open until its reader opens another.
  let openId = "";
  const refresh = oneAtATime(async () => {
    const mails = (await (await fetch("/api/mail")).json()) as Mail[];
    setChildren(
      list,
      mails.map((mail) => drawingOf(mail.id, mail.id, () => entryOf(mail, () => show(mail)))),
    );
    if (mails.length === 0) reader.replaceChildren(emptyNote());
    else if (openId === "" && mails[0]) show(mails[0]);
  });
  const show = (mail: Mail) => {
    openId = mail.id;
    reader.replaceChildren(readerOf(mail));
    for (const button of list.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.id === mail.id));
    }
  };
  const events = new EventSource("/api/mail/events");
  events.addEventListener("mail", () => void refresh());
  // What came before the stream stood, or while it was down, was told to nobody.
  events.addEventListener("open", () => void refresh());
  await refresh();
  return () => events.close();
}

function entryOf(mail: Mail, open: () => void): HTMLElement {
  const button = element("button", { type: "button" });
  button.dataset.id = mail.id;
  button.setAttribute("aria-pressed", "false");
  const when = new Date(mail.receivedAt).toLocaleTimeString();
  button.append(
    element("strong", {}, mail.subject || "(no subject)"),
    element("small", {}, `${mail.to.join(", ")} · ${when}`),
  );
  button.addEventListener("click", open);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function readerOf(mail: Mail): HTMLElement {
  const article = document.createElement("article");
  const head = element("header", {});
  head.append(
    element("h2", {}, mail.subject),
    element("small", {}, `From ${mail.from} to ${mail.to.join(", ")}`),
  );
  const body = document.createElement("div");
  const kinds = [
    { title: "As it looks", view: () => htmlView(mail.html) },
    { title: "Plain text", view: () => element("pre", {}, mail.text) },
  ];
  const buttons = kinds.map(({ title, view }) => {
    const button = element("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      body.replaceChildren(view());
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
    });
    return button;
  });
  head.append(document.createElement("br"), ...buttons);
  article.append(head, body);
  buttons[mail.html ? 0 : 1]?.click();
  return article;
}

/** The mail in a frame where nothing of it may run, but its links open in a new tab. */
function htmlView(html: string): HTMLElement {
  const view = document.createElement("iframe");
  view.title = "The mail";
  view.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox");
  view.srcdoc = `<base target="_blank">${html}`;
  return view;
}

function emptyNote(): HTMLElement {
  const note = "No mail yet. Ask for a password reset on the site, and it lands here.";
  return element("p", { className: "empty" }, note);
}
