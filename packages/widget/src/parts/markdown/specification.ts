/** Where answers are deliberately shown in another way than CommonMark 0.31.2 says, by section and example. */
export const commonMarkDeviations: Record<string, { why: string; examples: number[] }> = {
  Tabs: {
    why: 'There is no code by indentation.',
    examples: [1, 2, 3, 5, 6, 7, 8, 9, 11],
  },
  'Backslash escapes': {
    why: 'A bare address is a link, as on GitHub; there is no raw HTML and there are no reference links; a backslash in an address stays.',
    examples: [14, 18, 20, 21, 23, 24],
  },
  'Entity and numeric character references': {
    why: 'Only the entities that models write are known: amp, lt, gt, quot, apos, nbsp and numbers.',
    examples: [25, 31, 32, 33, 34, 36],
  },
  'Thematic breaks': {
    why: 'There is no code by indentation and there are no underlined headings.',
    examples: [48, 59],
  },
  'ATX headings': {
    why: 'A heading of backslash-escaped marks.',
    examples: [69],
  },
  'Setext headings': {
    why: 'There are no underlined headings: the line before a rule would jump while it is written.',
    examples: [80, 81, 82, 83, 84, 85, 86, 89, 90, 91, 95, 96, 100, 102, 103],
  },
  'Indented code blocks': {
    why: 'There is no code by indentation.',
    examples: [107, 110, 111, 112, 114, 115, 116, 117, 118],
  },
  'Fenced code blocks': {
    why: 'A fence that nobody closes keeps its last empty line; there is no code by indentation; an info string ends at the first space.',
    examples: [127, 134, 137, 139, 141, 146],
  },
  'HTML blocks': {
    why: 'There is no raw HTML: it is shown as text.',
    examples: [
      148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168,
      169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189,
      190, 191,
    ],
  },
  'Link reference definitions': {
    why: 'There are no reference links: what a link leads to stands beside it.',
    examples: [
      192, 193, 194, 195, 196, 197, 198, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 214, 215,
      216, 217, 218,
    ],
  },
  Paragraphs: {
    why: 'There is no code by indentation.',
    examples: [225],
  },
  'Block quotes': {
    why: 'There is no code by indentation, which a model writes by accident more often than on purpose.',
    examples: [231, 236, 237, 249, 252],
  },
  'List items': {
    why: 'There is no code by indentation; two columns are enough to belong to an item, because models indent by two.',
    examples: [253, 254, 257, 264, 270, 271, 272, 273, 274, 276, 278, 280, 286, 287, 288, 289, 290, 297, 300],
  },
  Lists: {
    why: 'There are no HTML comments between lists; two columns are enough to belong to an item.',
    examples: [308, 309, 312, 313, 317],
  },
  'Code spans': {
    why: 'There is no raw HTML.',
    examples: [344],
  },
  'Emphasis and strong emphasis': {
    why: 'There is no raw HTML.',
    examples: [475, 476, 477],
  },
  Links: {
    why: 'There are no reference links; a link needs an absolute address and is text without one; a bare address is a link, as on GitHub.',
    examples: [
      484, 485, 486, 487, 489, 491, 492, 493, 494, 495, 496, 498, 499, 500, 501, 502, 503, 504, 505, 506, 507,
      508, 511, 513, 517, 518, 519, 520, 522, 524, 526, 527, 528, 529, 530, 531, 532, 533, 534, 535, 536, 537,
      538, 539, 540, 541, 542, 543, 544, 545, 546, 547, 548, 549, 550, 551, 552, 553, 554, 555, 556, 557, 558,
      559, 560, 561, 562, 563, 564, 565, 566, 567, 568, 569, 570, 571,
    ],
  },
  Images: {
    why: 'There are no reference links; an image needs an absolute address.',
    examples: [573, 576, 577, 578, 579, 580, 582, 583, 584, 585, 586, 587, 588, 589, 590, 591, 592, 593],
  },
  Autolinks: {
    why: 'Only http, https, mailto and tel are links; a bare address is one, as on GitHub; an address is spelled as the browser spells it.',
    examples: [596, 598, 599, 601, 602, 603, 608, 611],
  },
  'Raw HTML': {
    why: 'There is no raw HTML: it is shown as text.',
    examples: [613, 614, 615, 616, 617, 623, 625, 626, 627, 628, 629, 630, 631],
  },
  'Hard line breaks': {
    why: 'There is no raw HTML.',
    examples: [642, 643],
  },
};

/** GitHub's additions: tables, task lists, strikethrough and bare addresses. */
export const gfmExamples: [markdown: string, html: string][] = [
  [
    '| a | b |\n| - | :-: |\n| c | d |',
    '<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>',
  ],
  ['| a |\n| - |\n| \\| |', '<table><tr><th>a</th></tr><tr><td>|</td></tr></table>'],
  [
    '| a | b |\n| - | - |\n| c |\n| d | e | f |',
    '<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td></td></tr><tr><td>d</td><td>e</td></tr></table>',
  ],
  ['| a | b |\n| - |\n| c |', '<p>| a | b |\n| - |\n| c |</p>'],
  ['| a |\n| - |\n> b', '<table><tr><th>a</th></tr></table><blockquote><p>b</p></blockquote>'],
  ['- [ ] a\n- [x] b', '<ul><li><input> a</li><li><input checked> b</li></ul>'],
  ['- [x] a\n  - [ ] b', '<ul><li><input checked> a<ul><li><input> b</li></ul></li></ul>'],
  ['~~a~~ b ~c~', '<p><s>a</s> b <s>c</s></p>'],
  ['~~a\n\nb~~', '<p>~~a</p>\n<p>b~~</p>'],
  ['~~~a~~~', '<pre><code class="language-a~~~"></code></pre>'],
  ['see www.example.com/a.', '<p>see <a href="https://www.example.com/a">www.example.com/a</a>.</p>'],
  [
    '(https://example.com/a_(b))',
    '<p>(<a href="https://example.com/a_(b)">https://example.com/a_(b)</a>)</p>',
  ],
  ['xhttps://example.com', '<p>xhttps://example.com</p>'],
];
