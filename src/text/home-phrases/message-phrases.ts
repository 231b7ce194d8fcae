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
      rent: "Le escribo porque me interesa la vivienda que alquila: {a}.",
      room: "Le escribo porque me interesa la habitación que alquila: {a}.",
      sale: "Le escribo porque me interesa el inmueble que vende: {a}.",
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
    thanks: "Muchas gracias y un saludo.",
  },
  ru: {
    greeting: "Здравствуйте!",
    about: {
      rent: "Пишу по поводу жилья, которое вы сдаёте: {a}.",
      room: "Пишу по поводу комнаты, которую вы сдаёте: {a}.",
      sale: "Пишу по поводу недвижимости, которую вы продаёте: {a}.",
      any: "Пишу по вашему объявлению: {a}.",
    },
    aMonth: "{a} в месяц",
    code: "номер {a}",
    whoLives: "Кто будет жить",
    aboutMe: "О себе",
    job: "Работа",
    movingFrom: "С какого времени",
    colon: ": ",
    question: "Объявление ещё актуально? Когда можно посмотреть? Подстроюсь под ваше время.",
    thanks: "Большое спасибо. С уважением.",
  },
  de: {
    greeting: "Guten Tag,",
    about: {
      rent: "ich interessiere mich für die Immobilie, die Sie vermieten: {a}.",
      room: "ich interessiere mich für das Zimmer, das Sie vermieten: {a}.",
      sale: "ich interessiere mich für die Immobilie, die Sie verkaufen: {a}.",
      any: "ich interessiere mich für Ihr Inserat: {a}.",
    },
    aMonth: "{a} im Monat",
    code: "Inseratsnummer {a}",
    whoLives: "Wer einziehen würde",
    aboutMe: "Über mich",
    job: "Beruf",
    movingFrom: "Gewünschter Einzug",
    colon: ": ",
    question:
      "Ist das Inserat noch aktuell? Wann wäre eine Besichtigung möglich? Ich richte mich gern nach Ihnen.",
    thanks: "Vielen Dank und freundliche Grüße",
  },
  fr: {
    greeting: "Bonjour,",
    about: {
      rent: "Je vous écris au sujet du logement que vous proposez à la location : {a}.",
      room: "Je vous écris au sujet de la chambre que vous proposez à la location : {a}.",
      sale: "Je vous écris au sujet du bien que vous mettez en vente : {a}.",
      any: "Je vous écris au sujet de votre annonce : {a}.",
    },
    aMonth: "{a} par mois",
    code: "réf. {a}",
    whoLives: "Qui emménagerait",
    aboutMe: "À propos de moi",
    job: "Profession",
    movingFrom: "Date d’entrée souhaitée",
    colon: " : ",
    question:
      "Votre annonce est-elle toujours d’actualité ? Quand serait-il possible de visiter ? Je m’adapte à vos disponibilités.",
    thanks: "Merci d’avance et bien cordialement",
  },
};
