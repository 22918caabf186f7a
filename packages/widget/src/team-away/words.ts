import { useChunkWords } from '../i18n/use-chunk-words.ts';

export const teamAwayLabels = {
  teamAway: 'Nobody of the team was online when they were asked. If somebody answers, you’ll read it here.',
  teamClosed: 'The team was asked outside its working hours. If somebody answers, you’ll read it here.',
};

type Name = keyof typeof teamAwayLabels;

/** The words of this chunk in the other languages, which nobody else has to load. */
const languages: Readonly<Record<string, Record<Name, string>>> = {
  de: {
    teamAway: 'Als gefragt wurde, war aus dem Team niemand online. Wenn jemand antwortet, lesen Sie es hier.',
    teamClosed:
      'Das Team wurde außerhalb seiner Arbeitszeiten gefragt. Wenn jemand antwortet, lesen Sie es hier.',
  },
  fr: {
    teamAway:
      'Personne de l’équipe n’était en ligne au moment de la demande. Si quelqu’un répond, vous le lirez ici.',
    teamClosed:
      'L’équipe a été sollicitée en dehors de ses horaires. Si quelqu’un répond, vous le lirez ici.',
  },
  es: {
    teamAway: 'Nadie del equipo estaba en línea cuando se le preguntó. Si alguien responde, lo leerá aquí.',
    teamClosed: 'Se preguntó al equipo fuera de su horario. Si alguien responde, lo leerá aquí.',
  },
  pt: {
    teamAway: 'Ninguém da equipe estava online quando foi perguntado. Se alguém responder, você lerá aqui.',
    teamClosed: 'A equipe foi consultada fora do horário de trabalho. Se alguém responder, você lerá aqui.',
  },
  ja: {
    teamAway: '問い合わせた時点で担当者は全員オフラインでした。回答があればここに表示されます。',
    teamClosed: '営業時間外に問い合わせました。回答があればここに表示されます。',
  },
  zh: {
    teamAway: '询问时团队无人在线。如有人答复，会显示在这里。',
    teamClosed: '询问时团队不在工作时间。如有人答复，会显示在这里。',
  },
  ar: {
    teamAway: 'لم يكن أحد من الفريق متصلاً عند طرح السؤال. إذا أجاب أحد فستقرأ الإجابة هنا.',
    teamClosed: 'سُئل الفريق خارج ساعات عمله. إذا أجاب أحد فستقرأ الإجابة هنا.',
  },
  he: {
    teamAway: 'איש מהצוות לא היה מחובר כשנשאל. אם מישהו יענה, תוכלו לקרוא זאת כאן.',
    teamClosed: 'הצוות נשאל מחוץ לשעות העבודה. אם מישהו יענה, תוכלו לקרוא זאת כאן.',
  },
};

export const useTeamAwayWords = () => useChunkWords(languages, teamAwayLabels);
