/** What people of the town write when they apply: one sentence of each list, `{...}` put in. */
export const openings: readonly string[] = [
  'I saw your job on the map and it is ten minutes from my door.',
  'This is the work I do most, and your place is close to mine.',
  'I would like to work with you.',
  'Your description is clear, which I like.',
  'I have time on these days and would be glad to come.',
  'Good morning, I am {name}.',
  'I live in {quarter} and come by bike.',
  'A friend pointed me to your job.',
];

export const middles: readonly string[] = [
  'I have done this for {years} years, most of it in Amsterdam.',
  'I have {years} years of experience and references if you want them.',
  'My last job of this kind ended in the summer because the place closed.',
  'I know the work well and need little explanation, only where things are.',
  'I learn quickly, and what I do not know I ask.',
  'I have worked in teams of three and of thirty.',
  'I am on time; in {years} years I missed one shift, and that was a broken foot.',
  'It is physical work and I like that.',
];

export const closings: readonly string[] = [
  'I could also come for an hour before, to see the place.',
  'If it goes well I would like to come again.',
  'You can reach me in the afternoon.',
  'I would be glad to hear from you either way.',
  'My weekdays are free until the end of the month.',
  'Thank you for reading.',
  'I can start on the first day you need me.',
  '',
];

/** Answers to questions in words, by how the question begins; the last one fits any. */
export const writtenAnswers: readonly (readonly [begins: string, answers: readonly string[]])[] = [
  [
    'Which kitchens',
    [
      'Two bistros and a canteen of a school, always hot side.',
      'A small Italian place for four years, then catering.',
    ],
  ],
  [
    'Which languages',
    [
      'Dutch and English, and enough French to find a lost ticket.',
      'English, Dutch and my mother tongue.',
      'Dutch, English and a little German.',
    ],
  ],
  [
    'What do you know about',
    ['I buy at shops like yours and know the brands.', 'Not much yet, but I remember what people ask.'],
  ],
  [
    'Which windows',
    [
      'A wine shop on a corner and a children’s shop, both two winters.',
      'Three windows for a florist; photos on request.',
    ],
  ],
  ['What van', ['A long white one with a tail lift.', 'A small van, 1.8 metres inside.']],
  [
    'What did you build',
    ['A staircase and eleven doors in one house.', 'Kitchen fronts in oak, and the doors beside them.'],
  ],
  ['What would you charge', ['Between twenty and forty euros, with the receipt.', 'I would see it first.']],
  [
    'What would you do first',
    ['Look where the water goes, then measure.', 'Lift what can be kept and put it aside.'],
  ],
  [
    'Tell a little',
    [
      'I grew up with my grandparents and like to listen.',
      'I am patient, I cook simply and I play cards badly.',
    ],
  ],
  [
    'Which subjects',
    ['Mathematics and physics up to the final exams.', 'Mathematics, all levels, and chemistry if needed.'],
  ],
  [
    'Link to',
    [
      'A course for beginners that I wrote for a library; I can bring it along.',
      'Twelve worksheets on daily life, used in two schools.',
    ],
  ],
  [
    'Which products',
    ['Without perfume, tried on the wrist a day before.', 'I bring two lines for sensitive skin.'],
  ],
  [
    'Which programs',
    [
      'The usual three, and spreadsheets for what they cannot do.',
      'Two of the common ones, daily for years.',
    ],
  ],
  [
    'Which systems',
    ['Windows in offices, Linux at home.', 'Both of the usual ones, and the printers in between.'],
  ],
  [
    'Which two sites',
    [
      'A bakery and a choir; I send the addresses when we talk.',
      'A school and a workshop, both still online.',
    ],
  ],
  [
    'How would you begin',
    [
      'By asking which of the three lists you trust.',
      'With one month by hand, to see what the numbers mean.',
    ],
  ],
  [
    'Where can we see',
    ['I bring a folder, or send ten pictures.', 'A small site of my own; I send the address.'],
  ],
  [
    'Which of your works',
    ['A poster for a street party in two colours.', 'A menu for a lunch room, with matching cards.'],
  ],
  ['', ['I can tell you more when we meet.', 'Best shown on the spot.']],
];
