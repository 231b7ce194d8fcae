import type { Language } from "#core/languages.ts";

/** What a message to an advertiser is put together from. {a} is filled in. */
export interface MessagePhrases {
  readonly greeting: string;
  /** {a} is the advert. */
  readonly about: Readonly<Record<"rent" | "room" | "sale" | "any", string>>;
  readonly aMonth: string;
  readonly code: string;
  /** Before what the person says of themselves. */
  readonly whoLives: string;
  readonly aboutMe: string;
  readonly job: string;
  readonly movingFrom: string;
  readonly colon: string;
  readonly question: string;
  readonly thanks: string;
}

export const MESSAGE_PHRASES: Readonly<Record<Language, MessagePhrases>> = {
  en: {
    greeting: "Hello,",
    about: {
      rent: "I am writing about the home you are letting: {a}.",
      room: "I am writing about the room you are letting: {a}.",
      sale: "I am writing about the property you are selling: {a}.",
      any: "I am writing about your advert: {a}.",
    },
    aMonth: "{a} a month",
    code: "ref. {a}",
    whoLives: "Who would be moving in",
    aboutMe: "About me",
    job: "Work",
    movingFrom: "Moving in from",
    colon: ": ",
    question: "Is it still available? When could I view it? Any time that suits you is fine with me.",
    thanks: "Many thanks and kind regards",
  },
  es: {
    greeting: "Hola:",
    about: {
      rent: "Le escribo por la vivienda que alquila: {a}.",
      room: "Le escribo por la habitación que alquila: {a}.",
      sale: "Le escribo por el inmueble que vende: {a}.",
      any: "Le escribo por su anuncio: {a}.",
    },
    aMonth: "{a} al mes",
    code: "ref. {a}",
    whoLives: "Quién viviría allí",
    aboutMe: "Sobre mí",
    job: "Trabajo",
    movingFrom: "Para cuándo",
    colon: ": ",
    question: "¿Sigue disponible? ¿Cuándo se podría visitar? Me adapto a su horario.",
    thanks: "Muchas gracias y un saludo",
  },
  ru: {
    greeting: "Здравствуйте!",
    about: {
      rent: "Пишу о жилье, которое вы сдаёте: {a}.",
      room: "Пишу о комнате, которую вы сдаёте: {a}.",
      sale: "Пишу о недвижимости, которую вы продаёте: {a}.",
      any: "Пишу по вашему объявлению: {a}.",
    },
    aMonth: "{a} в месяц",
    code: "код {a}",
    whoLives: "Кто будет жить",
    aboutMe: "О себе",
    job: "Работа",
    movingFrom: "С какого времени",
    colon: ": ",
    question: "Объявление ещё актуально? Когда можно посмотреть? Подстроюсь под ваше время.",
    thanks: "Большое спасибо, с уважением",
  },
  de: {
    greeting: "Guten Tag,",
    about: {
      rent: "ich schreibe Ihnen wegen der Wohnung, die Sie vermieten: {a}.",
      room: "ich schreibe Ihnen wegen des Zimmers, das Sie vermieten: {a}.",
      sale: "ich schreibe Ihnen wegen der Immobilie, die Sie verkaufen: {a}.",
      any: "ich schreibe Ihnen wegen Ihres Inserats: {a}.",
    },
    aMonth: "{a} im Monat",
    code: "Nr. {a}",
    whoLives: "Wer dort wohnen würde",
    aboutMe: "Über mich",
    job: "Beruf",
    movingFrom: "Ab wann",
    colon: ": ",
    question:
      "Ist das Angebot noch aktuell? Wann wäre eine Besichtigung möglich? Ich richte mich nach Ihren Zeiten.",
    thanks: "Vielen Dank und freundliche Grüße",
  },
  fr: {
    greeting: "Bonjour,",
    about: {
      rent: "Je vous écris au sujet du logement que vous louez : {a}.",
      room: "Je vous écris au sujet de la chambre que vous louez : {a}.",
      sale: "Je vous écris au sujet du bien que vous vendez : {a}.",
      any: "Je vous écris au sujet de votre annonce : {a}.",
    },
    aMonth: "{a} par mois",
    code: "réf. {a}",
    whoLives: "Qui y habiterait",
    aboutMe: "À propos de moi",
    job: "Travail",
    movingFrom: "À partir de quand",
    colon: " : ",
    question: "Est-ce toujours disponible ? Quand pourrait-on visiter ? Je m’adapte à vos horaires.",
    thanks: "Merci beaucoup et bien cordialement",
  },
};
