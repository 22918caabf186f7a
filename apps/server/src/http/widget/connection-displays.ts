import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { ToolDisplay } from '@parley/protocol/settings/tool-display';
import type { WidgetConfig } from '@parley/protocol/widget-config';
import { remoteToolName } from '../../tool/mcp/remote-tool-name.ts';
import { labelsOf } from './tool-displays.ts';

type Displays = Extract<WidgetConfig, { ok: true }>['tools'];
type Texts = ToolDisplay['title'];

/** As `toolDisplaySchema` has it. */
const maxTitleLength = 80;

const book: Texts = {
  en: 'Book',
  ar: 'حجز',
  de: 'Buchen',
  es: 'Reservar',
  fr: 'Réserver',
  he: 'הזמנה',
  ja: '予約',
  pt: 'Reservar',
  zh: '预约',
};
const move: Texts = {
  en: 'Move',
  ar: 'تغيير الموعد',
  de: 'Verschieben',
  es: 'Cambiar',
  fr: 'Déplacer',
  he: 'שינוי מועד',
  ja: '日時の変更',
  pt: 'Remarcar',
  zh: '改期',
};
const cancel: Texts = {
  en: 'Cancel',
  ar: 'إلغاء',
  de: 'Absagen',
  es: 'Cancelar',
  fr: 'Annuler',
  he: 'ביטול',
  ja: 'キャンセル',
  pt: 'Cancelar',
  zh: '取消',
};
const sendMail: Texts = {
  en: 'Send an e-mail',
  ar: 'إرسال بريد إلكتروني',
  de: 'E-Mail senden',
  es: 'Enviar un correo',
  fr: 'Envoyer un e-mail',
  he: 'שליחת דוא״ל',
  ja: 'メールを送信',
  pt: 'Enviar um e-mail',
  zh: '发送电子邮件',
};

const sendMailTo: Texts = {
  en: 'Send “{{subject}}” to {{to}}',
  ar: 'إرسال «{{subject}}» إلى {{to}}',
  de: '„{{subject}}“ an {{to}} senden',
  es: 'Enviar «{{subject}}» a {{to}}',
  fr: 'Envoyer « {{subject}} » à {{to}}',
  he: 'שליחת ״{{subject}}״ אל {{to}}',
  ja: '{{to}} に「{{subject}}」を送信',
  pt: 'Enviar “{{subject}}” para {{to}}',
  zh: '向 {{to}} 发送“{{subject}}”',
};

/** How visitors see the tools of connections that they are asked about; that there are others is not public. */
export function connectionDisplays(connections: readonly ConnectionSettings[]): Displays {
  return Object.fromEntries(connections.flatMap(displaysOf));
}

function displaysOf(connection: ConnectionSettings): (readonly [string, Displays[string]])[] {
  const { name } = connection;
  if (connection.kind === 'mcp' || connection.kind === 'composio')
    return connection.tools.flatMap(({ name: tool, approval, definition: { title, parameters } }) =>
      approval === 'never' || title === null || title.trim() === ''
        ? []
        : [
            [
              remoteToolName(name, tool),
              { title: { en: cut(title) }, labels: labelsOf(parameters) },
            ] as const,
          ],
    );
  if (connection.approval === 'never') return [];
  if (connection.kind === 'mail')
    return [[`${name}__send_mail`, { title: sendMail, summary: sendMailTo, labels: {} }]];
  return Object.entries({ book, move, cancel }).map(([tool, verb]) => {
    const titles = Object.entries(verb).map(([language, said]) => [
      language,
      cut(`${said}: ${connection.title}`),
    ]);
    return [`${name}__${tool}`, { title: Object.fromEntries(titles) as Texts, labels: {} }];
  });
}

const cut = (text: string): string => text.slice(0, maxTitleLength).toWellFormed();
