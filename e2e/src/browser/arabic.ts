import type { Page } from '@playwright/test';
import { labels } from '../../../packages/widget/src/i18n/labels.ts';
import { cardLabels } from '../../../packages/widget/src/i18n/card-labels.ts';
import { readyMailLabels } from '../../../packages/widget/src/ready-mail/words.ts';
import { teamAwayLabels } from '../../../packages/widget/src/team-away/words.ts';
import { transferLabels } from '../../../packages/widget/src/transfer/words.ts';
import { everything } from './recorded-turns.ts';
import { type State } from './states.ts';

const answer = `## الطلبات

غادر طلبك **1042** الورشة يوم _الثلاثاء_؛ انظر [الخريطة](https://example.com/map) أو \`track 1042\`.

1. أولاً
   - داخل القائمة
2. ثانياً

- [x] تم التغليف
- [ ] تم التسليم

| السلعة | السعر |
|:-------|------:|
| جرس | 12.00 |
| سلعة ذات اسم طويل جداً يجعل الجدول عريضاً بما يكفي للتمرير أفقياً | 129.00 |

\`\`\`js
const total = items.map((item) => item.price).reduce((sum, price) => sum + price, 0);
\`\`\`

> اقتباس قيل من قبل.

![الورشة](https://images.example/workshop.jpg)
`;

/** What visitors and the agent say in the recorded states. */
const texts: Record<string, string> = {
  Hello: 'مرحباً',
  'Hi.': 'أهلاً، كيف أساعدك؟',
  'Hi! How can I help?': 'مرحباً! كيف يمكنني مساعدتك؟',
  'Where is it?': 'أين طلبي رقم 1042؟',
  Orders: 'الطلبات',
  'Tell me a story': 'احكِ لي قصة من فضلك',
  'Once upon a **time': 'كان يا ما كان في **قديم الزمان',
  'Once upon a time': 'كان يا ما كان في قديم الزمان',
  'Why?': 'لماذا؟',
  'Because of that.': 'لهذا السبب.',
  'So.': 'إذن هكذا.',
  Refund: 'أعد المبلغ من فضلك',
  'Refund order 1057, please.': 'أعد مبلغ الطلب 1057 من فضلك.',
  'I can refund that.': 'يمكنني إعادة المبلغ إلى بطاقتك.',
  'Done.': 'تم ذلك.',
  'That did not work.': 'لم ينجح ذلك.',
  'Compare all bikes': 'قارن بين جميع الدراجات',
  'Which bike suits me?': 'أي دراجة تناسبني؟',
  'Where will you ride?': 'أين ستركب الدراجة؟',
  'In the city': 'في المدينة',
  'Short ways, many stops': 'مسافات قصيرة وتوقف كثير',
  'On gravel': 'على الحصى',
  'up and down': 'صعوداً ونزولاً',
  'What is in my calendar?': 'ماذا في تقويمي اليوم؟',
  Calendar: 'التقويم',
  'Lets the assistant read your appointments.': 'يتيح للمساعد قراءة مواعيدك.',
  'Your name': 'اسمك',
  Ada: 'آدا',
  'E-mail': 'البريد الإلكتروني',
  'For the confirmation only.': 'لتأكيد الحجز فقط.',
  'Day of arrival': 'يوم الوصول',
  Guests: 'عدد الضيوف',
  Cabin: 'الكوخ',
  'Heron, on the water': 'مالك الحزين، على الماء',
  'Curlew, with a south deck': 'الكروان، بشرفة جنوبية',
  'I bring a dog': 'سأحضر كلباً',
  Wishes: 'طلبات خاصة',
  'A cot, a late arrival…': 'سرير أطفال، وصول متأخر…',
  'Who are we talking to?': 'مع من نتحدث؟',
  'What you write here is processed by Fernhill Cycles and its AI provider, and kept for 30 days.':
    'يعالج Fernhill Cycles ومزوّد الذكاء الاصطناعي ما تكتبه هنا، ويُحفظ 30 يوماً.',
  Bye: 'إلى اللقاء',
  'Bye.': 'إلى اللقاء.',
};

const greeting = 'Hi! How can I help?';

/** The same state of a tenant who speaks Arabic. */
export function inArabic(state: State): State {
  const { events, shows } = state;
  const met = new Set([greeting]);
  const translate = (text: string) => {
    if (text === everything) return answer;
    if (texts[text]) met.add(text);
    return texts[text] ?? text;
  };
  const translateAll = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) =>
      typeof each === 'string' ? translate(each) : each,
    ) as Value;
  return {
    root: 'lang="ar" dir="rtl"',
    ...state,
    widget: {
      name: 'فيرن من Fernhill Bikes',
      greeting: texts[greeting],
      prompts: ['أين طلبي رقم 1042؟', 'متى تفتحون المتجر؟'],
      ...translateAll(state.widget ?? {}),
    },
    ...(events && { events: translateAll(events) }),
    shows:
      typeof shows === 'string'
        ? (texts[shows] ?? [...met].reduce((text, each) => text.replace(each, texts[each]!), shows))
        : // What is filled in after its beginning reads as Arabic does.
          new RegExp(shows.source.split('.*')[0]!),
  };
}

type Settings = { parleySettings?: object; parley?: (verb: string, options: object) => Promise<unknown> };

/** The states are entered by English words, on a page that is Arabic from the start. */
export const enterInEnglish = (page: Page) =>
  page.addInitScript((words) => ((globalThis as Settings).parleySettings = { labels: words }), {
    ...labels,
    ...cardLabels,
    ...readyMailLabels,
    ...teamAwayLabels,
    ...transferLabels,
  });

/** As the page does that has no words of its own any more. */
export const speakArabic = (page: Page) =>
  page.evaluate(() => (globalThis as Settings).parley?.('update', { labels: undefined }));
