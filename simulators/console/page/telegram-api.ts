export type Person = {
  id: number;
  firstName: string;
  lastName?: string;
  username?: string;
  languageCode?: string;
  standing: string;
};

export type ChatSummary = {
  id: number;
  kind: "private" | "group" | "supergroup" | "channel";
  title: string;
  standing: string;
  /** The supergroup a group has become. */
  migratedTo: number | null;
  lastAt: number;
  lastText: string;
};

export type Entity = { type: string; offset: number; length: number; url?: string };

export type Button = { text: string; url?: string; callback_data?: string; copy_text?: { text: string } };

export type Message = {
  message_id: number;
  date: number;
  edit_date?: number;
  from?: { id: number; is_bot: boolean; first_name: string };
  author_signature?: string;
  text?: string;
  entities?: Entity[];
  caption?: string;
  caption_entities?: Entity[];
  photo?: { file_id: string }[];
  /** Where the picture would be fetched from; none if it was uploaded. */
  pictureUrl?: string;
  link_preview_options?: { is_disabled?: boolean; url?: string };
  reply_markup?: { inline_keyboard: Button[][] };
  reply_to_message?: Message;
  new_chat_members?: { first_name: string }[];
  left_chat_member?: { first_name: string };
  migrate_to_chat_id?: number;
  migrate_from_chat_id?: number;
};

export type ChatView = {
  chat: ChatSummary;
  members: (Person & { status: string })[];
  commands: { command: string; description: string }[];
  action: string | null;
  messages: Message[];
};

export type State = { bot: { username: string; firstName: string }; description: string };

export type Answer = { text: string; isAlert: boolean; url?: string } | null;

type Told = {
  message?: string | object;
  person?: Person;
  chat?: ChatSummary;
  url?: string;
  press?: { id: string };
};

export async function ask<T>(path: string): Promise<T> {
  return (await fetch(`/api/telegram/${path}`)).json() as Promise<T>;
}

/** Does it, or throws with the reason in words. */
export async function act(path: string, body: object = {}, method = "POST"): Promise<Told> {
  const answer = await fetch(`/api/telegram/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const told = (await answer.json()) as Told;
  if (!answer.ok) throw new Error(String(told.message ?? "That did not work."));
  return told;
}
