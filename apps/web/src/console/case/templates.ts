import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { HouseRule } from '@nearhand/contract/house-rules';
import { type Language, languages } from '@nearhand/contract/languages';
import { partsOf, type TextParts, textInLanguages } from '@nearhand/contract/texts-by-language';

/** A text to start a reason from, in every language that its readers may have. */
export type Template = Readonly<Record<Language, string>>;

/** A text that only operators read, who work in English (ADR 176). */
const amongOperators = (en: string): Template => ({ en, nl: en, de: en, fr: en, es: en, ar: en });

const tookAction: Template = {
  en: 'Thank you for reporting this. We took action.',
  nl: 'Bedankt voor je melding. We hebben maatregelen genomen.',
  de: 'Danke für deine Meldung. Wir haben etwas unternommen.',
  fr: 'Merci pour votre signalement. Nous avons pris des mesures.',
  es: 'Gracias por tu denuncia. Hemos tomado medidas.',
  ar: 'شكرًا على بلاغك. اتّخذنا إجراءً بشأنه.',
};

/** The facts of a statement of reasons, to start from: what is against the rule. */
export const factsTemplates: Readonly<Record<HouseRule, Template>> = {
  'no-fees': {
    en: 'Workers were asked to pay to get or keep the work.',
    nl: 'Er is medewerkers gevraagd te betalen om het werk te krijgen of te houden.',
    de: 'Arbeitskräfte sollten dafür bezahlen, die Arbeit zu bekommen oder zu behalten.',
    fr: 'Il a été demandé aux intervenants de payer pour obtenir ou garder le travail.',
    es: 'Se pidió a los trabajadores que pagaran para conseguir o conservar el trabajo.',
    ar: 'طُلب من العمال أن يدفعوا مقابل الحصول على العمل أو الاحتفاظ به.',
  },
  'real-jobs': {
    en: 'The job does not exist as it was posted.',
    nl: 'De klus bestaat niet zoals die is geplaatst.',
    de: 'Den Job gibt es so nicht, wie er veröffentlicht wurde.',
    fr: 'La mission n’existe pas telle qu’elle a été publiée.',
    es: 'El empleo no existe tal como se publicó.',
    ar: 'الوظيفة غير موجودة كما نُشرت.',
  },
  'honest-details': {
    en: 'The work was different from what was described.',
    nl: 'Het werk was anders dan beschreven.',
    de: 'Die Arbeit war anders als beschrieben.',
    fr: 'Le travail ne correspondait pas à la description.',
    es: 'El trabajo no era como se describió.',
    ar: 'كان العمل مختلفًا عمّا وُصف.',
  },
  'pay-as-agreed': {
    en: 'The agreed pay was not paid.',
    nl: 'Het afgesproken loon is niet betaald.',
    de: 'Die vereinbarte Bezahlung ist ausgeblieben.',
    fr: 'La rémunération convenue n’a pas été versée.',
    es: 'No se pagó lo acordado.',
    ar: 'لم يُدفع الأجر المتّفق عليه.',
  },
  'stay-on-nearhand': {
    en: 'Someone was asked to work, pay or write outside Nearhand.',
    nl: 'Er is gevraagd om buiten Nearhand te werken, te betalen of te schrijven.',
    de: 'Es wurde dazu aufgefordert, außerhalb von Nearhand zu arbeiten, zu bezahlen oder zu schreiben.',
    fr: 'Il a été demandé de travailler, de payer ou d’écrire en dehors de Nearhand.',
    es: 'Se pidió trabajar, pagar o escribir fuera de Nearhand.',
    ar: 'طُلب العمل أو الدفع أو المراسلة خارج Nearhand.',
  },
  respect: {
    en: 'Someone was insulted or threatened, in writing or in person.',
    nl: 'Iemand is beledigd of bedreigd, in berichten of ter plaatse.',
    de: 'Jemand wurde beleidigt oder bedroht, schriftlich oder vor Ort.',
    fr: 'Une personne a été insultée ou menacée, par écrit ou sur place.',
    es: 'Se insultó o amenazó a alguien, por escrito o en persona.',
    ar: 'تعرّض شخص للإهانة أو التهديد كتابةً أو وجهًا لوجه.',
  },
  'no-discrimination': {
    en: 'People were excluded or treated worse because of who they are.',
    nl: 'Mensen zijn uitgesloten of slechter behandeld om wie ze zijn.',
    de: 'Menschen wurden wegen persönlicher Merkmale ausgeschlossen oder schlechter behandelt.',
    fr: 'Des personnes ont été exclues ou moins bien traitées en raison de ce qu’elles sont.',
    es: 'Se excluyó o se trató peor a personas por ser quienes son.',
    ar: 'استُبعد أشخاص أو عوملوا معاملة أسوأ بسبب صفاتهم الشخصية.',
  },
  safety: {
    en: 'The work put someone’s safety at risk.',
    nl: 'Het werk bracht iemands veiligheid in gevaar.',
    de: 'Die Arbeit hat die Sicherheit von Menschen gefährdet.',
    fr: 'Le travail a mis en danger la sécurité d’une personne.',
    es: 'El trabajo puso en riesgo la seguridad de alguien.',
    ar: 'عرّض العمل سلامة شخص للخطر.',
  },
  identity: {
    en: 'The name, photo or documents belong to someone else.',
    nl: 'De naam, de foto of de documenten zijn van iemand anders.',
    de: 'Name, Foto oder Dokumente gehören jemand anderem.',
    fr: 'Le nom, la photo ou les documents appartiennent à quelqu’un d’autre.',
    es: 'El nombre, la foto o los documentos son de otra persona.',
    ar: 'الاسم أو الصورة أو المستندات تخصّ شخصًا آخر.',
  },
  privacy: {
    en: 'Someone’s personal details were shared without their consent.',
    nl: 'Persoonlijke gegevens van iemand zijn zonder toestemming gedeeld.',
    de: 'Persönliche Daten von jemandem wurden ohne Einwilligung weitergegeben.',
    fr: 'Les données personnelles d’une personne ont été partagées sans son accord.',
    es: 'Se compartieron datos personales de alguien sin su consentimiento.',
    ar: 'نُشرت بيانات شخصية لشخص من دون موافقته.',
  },
  law: {
    en: 'The content or the work is against the law.',
    nl: 'De inhoud of het werk is in strijd met de wet.',
    de: 'Der Inhalt oder die Arbeit verstößt gegen das Gesetz.',
    fr: 'Le contenu ou le travail est contraire à la loi.',
    es: 'El contenido o el trabajo es contrario a la ley.',
    ar: 'المحتوى أو العمل مخالف للقانون.',
  },
};

const isFactsTemplate = (text: string, language: Language): boolean =>
  Object.values(factsTemplates).some((template) => template[language] === text);

/** A text that nothing marks is in the language of a template that it contains, else in the one it was started in. */
function partsOfFacts(facts: string, startedIn: Language): TextParts {
  const { forAll, parts } = partsOf(facts);
  if (parts.size > 0 || forAll === '') return { forAll, parts };
  const contained = languages.find((language) =>
    Object.values(factsTemplates).some((template) => forAll.includes(template[language])),
  );
  return { forAll: '', parts: new Map([[contained ?? startedIn, forAll]]) };
}

/**
 * Adds the template of a rule to the facts as the part of its language. Parts that are unedited templates of another rule
 * follow the rule; an edited part keeps its words, and gets the template after them.
 * @param startedIn the language of the first template, by which an edited text without parts is marked
 */
export function withFactsTemplate(
  facts: string,
  { rule, language, startedIn }: { rule: HouseRule; language: Language; startedIn: Language | null },
): string {
  const template = factsTemplates[rule];
  const { forAll, parts } = partsOfFacts(facts, startedIn ?? 'en');
  const edited = new Map(
    [...parts].map(([part, text]) => [part, isFactsTemplate(text, part) ? template[part] : text]),
  );
  const before = edited.get(language) ?? '';
  if (!before.includes(template[language]))
    edited.set(language, before === '' ? template[language] : `${before}\n\n${template[language]}`);
  return [forAll, textInLanguages([...edited])].filter((part) => part !== '').join('\n\n');
}

/** Both sides read most of these, so none reveals who reported. */
export const templates: { readonly [K in CaseKind]?: Readonly<Record<string, readonly Template[]>> } = {
  dispute: {
    decide: [
      {
        en: 'The check-in and check-out times show the full shift, so the full pay is due.',
        nl: 'De incheck- en uitchecktijden laten de hele dienst zien. Daarom is het volledige loon verschuldigd.',
        de: 'Check-in und Check-out belegen die ganze Schicht. Deshalb ist die volle Bezahlung fällig.',
        fr: 'Les heures d’arrivée et de départ couvrent toute la vacation : la rémunération complète est due.',
        es: 'Las horas de entrada y salida muestran el turno completo, así que corresponde el pago completo.',
        ar: 'تُظهر أوقات تسجيل الحضور والانصراف الوردية كاملةً، لذا يُستحقّ الأجر كاملًا.',
      },
      {
        en: 'The recorded hours are shorter than claimed. The pay covers the hours on record.',
        nl: 'Er zijn minder uren geregistreerd dan opgegeven. Het loon is voor de geregistreerde uren.',
        de: 'Erfasst sind weniger Stunden als angegeben. Bezahlt werden die erfassten Stunden.',
        fr: 'Les heures enregistrées sont inférieures à celles déclarées. La rémunération couvre les heures enregistrées.',
        es: 'Las horas registradas son menos que las indicadas. El pago corresponde a las horas registradas.',
        ar: 'الساعات المسجَّلة أقلّ من الساعات المذكورة. يُحتسب الأجر عن الساعات المسجَّلة.',
      },
      {
        en: 'The photos show part of the agreed work. The pay covers the part that was done.',
        nl: 'Op de foto’s is een deel van het afgesproken werk te zien. Het loon is voor het deel dat is gedaan.',
        de: 'Die Fotos zeigen einen Teil der vereinbarten Arbeit. Bezahlt wird der erledigte Teil.',
        fr: 'Les photos montrent une partie du travail convenu. La rémunération couvre la partie réalisée.',
        es: 'Las fotos muestran una parte del trabajo acordado. El pago corresponde a la parte hecha.',
        ar: 'تُظهر الصور جزءًا من العمل المتّفق عليه. يُحتسب الأجر عن الجزء المنجَز.',
      },
      {
        en: 'Neither side showed evidence for its amount. The pay follows the agreed terms.',
        nl: 'Geen van beide kanten heeft het eigen bedrag onderbouwd. Het loon volgt de afspraken.',
        de: 'Keine Seite hat ihren Betrag belegt. Die Bezahlung richtet sich nach der Vereinbarung.',
        fr: 'Aucune des deux parties n’a justifié son montant. La rémunération suit les conditions convenues.',
        es: 'Ninguna de las partes justificó su importe. El pago sigue lo acordado.',
        ar: 'لم يقدّم أيّ من الطرفين ما يثبت المبلغ الذي ذكره. يُحتسب الأجر وفق الشروط المتّفق عليها.',
      },
    ],
  },
  no_show: {
    absent: [
      {
        en: 'There is no check-in, and nothing else shows that the worker was there.',
        nl: 'Er is niet ingecheckt, en ook uit niets anders blijkt dat de medewerker er was.',
        de: 'Es gibt keinen Check-in, und auch sonst belegt nichts, dass die Arbeitskraft da war.',
        fr: 'Aucune arrivée n’a été pointée et rien d’autre ne montre que l’intervenant était présent.',
        es: 'No hay registro de entrada, y nada más muestra que el trabajador estuviera allí.',
        ar: 'لا يوجد تسجيل حضور، ولا شيء آخر يدلّ على أنّ العامل كان في المكان.',
      },
      {
        en: 'The worker wrote that they were not coming after the shift had started.',
        nl: 'De medewerker liet pas na het begin van de dienst weten niet te komen.',
        de: 'Die Arbeitskraft hat erst nach Beginn der Schicht geschrieben, dass sie nicht kommt.',
        fr: 'L’intervenant a écrit qu’il ne viendrait pas alors que la vacation avait déjà commencé.',
        es: 'El trabajador avisó de que no iba a ir cuando el turno ya había empezado.',
        ar: 'كتب العامل أنّه لن يحضر بعد بدء الوردية.',
      },
    ],
    worked: [
      {
        en: 'The check-in near the workplace shows that the worker was there.',
        nl: 'De check-in bij de werkplek laat zien dat de medewerker er was.',
        de: 'Der Check-in nahe am Arbeitsort zeigt, dass die Arbeitskraft da war.',
        fr: 'L’arrivée pointée près du lieu de travail montre que l’intervenant était présent.',
        es: 'La entrada registrada cerca del lugar de trabajo muestra que el trabajador estuvo allí.',
        ar: 'يدلّ تسجيل الحضور قرب مكان العمل على أنّ العامل كان هناك.',
      },
      {
        en: 'The messages show that the worker was at the place at the agreed time.',
        nl: 'Uit de berichten blijkt dat de medewerker op de afgesproken tijd ter plaatse was.',
        de: 'Die Nachrichten zeigen, dass die Arbeitskraft zur vereinbarten Zeit am Ort war.',
        fr: 'Les messages montrent que l’intervenant était sur place à l’heure convenue.',
        es: 'Los mensajes muestran que el trabajador estaba en el lugar a la hora acordada.',
        ar: 'تدلّ الرسائل على أنّ العامل كان في المكان في الوقت المتّفق عليه.',
      },
    ],
  },
  chat_report: {
    dismiss: [
      {
        en: 'We read the messages and found nothing against our rules.',
        nl: 'We hebben de berichten gelezen en niets gevonden dat tegen onze regels is.',
        de: 'Wir haben die Nachrichten gelesen und nichts gefunden, was gegen unsere Regeln verstößt.',
        fr: 'Nous avons lu les messages et n’avons rien trouvé de contraire à nos règles.',
        es: 'Hemos leído los mensajes y no hemos encontrado nada contrario a nuestras normas.',
        ar: 'قرأنا الرسائل ولم نجد فيها ما يخالف قواعدنا.',
      },
    ],
    redact: [
      {
        en: 'The message insults the other person. Please stay polite.',
        nl: 'Het bericht beledigt de ander. Blijf beleefd.',
        de: 'Die Nachricht beleidigt die andere Person. Bitte bleib höflich.',
        fr: 'Le message insulte l’autre personne. Merci de rester poli.',
        es: 'El mensaje insulta a la otra persona. Mantén un trato educado, por favor.',
        ar: 'تتضمّن الرسالة إهانة للطرف الآخر. يُرجى الالتزام بالأدب.',
      },
      {
        en: 'The message asks to pay or work outside Nearhand, which our rules do not allow.',
        nl: 'Het bericht vraagt om buiten Nearhand te betalen of te werken. Dat staan onze regels niet toe.',
        de: 'Die Nachricht fordert dazu auf, außerhalb von Nearhand zu bezahlen oder zu arbeiten. Das erlauben unsere Regeln nicht.',
        fr: 'Le message demande de payer ou de travailler en dehors de Nearhand, ce que nos règles n’autorisent pas.',
        es: 'El mensaje pide pagar o trabajar fuera de Nearhand, lo que nuestras normas no permiten.',
        ar: 'تطلب الرسالة الدفع أو العمل خارج Nearhand، وهذا ما لا تسمح به قواعدنا.',
      },
    ],
    freeze: [
      {
        en: 'The conversation contains repeated harassment, so we stopped it.',
        nl: 'In de chat is iemand herhaaldelijk lastiggevallen. Daarom hebben we de chat gestopt.',
        de: 'Im Chat wurde wiederholt belästigt. Deshalb haben wir ihn gestoppt.',
        fr: 'La conversation contient du harcèlement répété, nous l’avons donc arrêtée.',
        es: 'La conversación contiene acoso repetido, por eso la hemos detenido.',
        ar: 'تتضمّن المحادثة مضايقات متكرّرة، لذا أوقفناها.',
      },
      {
        en: 'The conversation contains an attempted fraud, so we stopped it.',
        nl: 'De chat bevat een poging tot oplichting. Daarom hebben we de chat gestopt.',
        de: 'Der Chat enthält einen Betrugsversuch. Deshalb haben wir ihn gestoppt.',
        fr: 'La conversation contient une tentative de fraude, nous l’avons donc arrêtée.',
        es: 'La conversación contiene un intento de fraude, por eso la hemos detenido.',
        ar: 'تتضمّن المحادثة محاولة احتيال، لذا أوقفناها.',
      },
    ],
  },
  frozen_chat: {
    unfreeze: [
      {
        en: 'We looked at the conversation again and decided that it can continue.',
        nl: 'We hebben de chat opnieuw bekeken en besloten dat die verder kan.',
        de: 'Wir haben uns den Chat noch einmal angesehen und entschieden, dass er weitergehen kann.',
        fr: 'Nous avons réexaminé la conversation et décidé qu’elle peut continuer.',
        es: 'Hemos vuelto a mirar la conversación y hemos decidido que puede continuar.',
        ar: 'راجعنا المحادثة مرّة أخرى وقرّرنا أنّ بإمكانها أن تستمرّ.',
      },
    ],
  },
  report: {
    dismiss: [
      {
        en: 'Thank you for reporting this. We looked into it and found nothing against our rules.',
        nl: 'Bedankt voor je melding. We hebben het onderzocht en niets gevonden dat tegen onze regels is.',
        de: 'Danke für deine Meldung. Wir haben sie geprüft und nichts gefunden, was gegen unsere Regeln verstößt.',
        fr: 'Merci pour votre signalement. Nous l’avons examiné et n’avons rien trouvé de contraire à nos règles.',
        es: 'Gracias por tu denuncia. La hemos revisado y no hemos encontrado nada contrario a nuestras normas.',
        ar: 'شكرًا على بلاغك. راجعناه ولم نجد ما يخالف قواعدنا.',
      },
      {
        en: 'Thank you for reporting this. We could not confirm it. Please write to us if you have proof.',
        nl: 'Bedankt voor je melding. We konden het niet vaststellen. Laat het ons weten als je bewijs hebt.',
        de: 'Danke für deine Meldung. Wir konnten sie nicht bestätigen. Bitte schreib uns, wenn du Belege hast.',
        fr: 'Merci pour votre signalement. Nous n’avons pas pu le confirmer. Écrivez-nous si vous avez des preuves.',
        es: 'Gracias por tu denuncia. No hemos podido confirmarla. Escríbenos si tienes pruebas.',
        ar: 'شكرًا على بلاغك. لم نتمكّن من التحقّق منه. يُرجى الكتابة إلينا إن كان لديك ما يثبته.',
      },
    ],
    warning: [tookAction],
    hidden: [
      {
        en: 'Thank you for reporting this. We hid the job.',
        nl: 'Bedankt voor je melding. We hebben de klus verborgen.',
        de: 'Danke für deine Meldung. Wir haben den Job ausgeblendet.',
        fr: 'Merci pour votre signalement. Nous avons masqué la mission.',
        es: 'Gracias por tu denuncia. Hemos ocultado el empleo.',
        ar: 'شكرًا على بلاغك. أخفينا الوظيفة.',
      },
    ],
    removed: [
      {
        en: 'Thank you for reporting this. We removed the review.',
        nl: 'Bedankt voor je melding. We hebben de review verwijderd.',
        de: 'Danke für deine Meldung. Wir haben die Bewertung entfernt.',
        fr: 'Merci pour votre signalement. Nous avons retiré l’avis.',
        es: 'Gracias por tu denuncia. Hemos retirado la reseña.',
        ar: 'شكرًا على بلاغك. حذفنا التقييم.',
      },
    ],
    suspension: [tookAction],
  },
  appeal: {
    upheld: [
      {
        en: 'We read everything again. The facts are as stated, and the rule applies.',
        nl: 'We hebben alles opnieuw gelezen. De feiten kloppen en de regel is van toepassing.',
        de: 'Wir haben alles noch einmal gelesen. Die Tatsachen stimmen, und die Regel gilt.',
        fr: 'Nous avons tout relu. Les faits sont exacts et la règle s’applique.',
        es: 'Lo hemos leído todo de nuevo. Los hechos son los indicados y la norma se aplica.',
        ar: 'قرأنا كلّ شيء من جديد. الوقائع كما ذُكرت، والقاعدة تنطبق عليها.',
      },
    ],
    overturned: [
      {
        en: 'You are right: the facts did not support the decision. We are sorry.',
        nl: 'Je hebt gelijk: de feiten rechtvaardigden het besluit niet. Onze excuses.',
        de: 'Du hast recht: Die Tatsachen haben die Entscheidung nicht getragen. Das tut uns leid.',
        fr: 'Vous avez raison : les faits ne justifiaient pas la décision. Nous sommes désolés.',
        es: 'Tienes razón: los hechos no justificaban la decisión. Lo sentimos.',
        ar: 'أنت على حقّ: لم تكن الوقائع كافية لهذا القرار. نعتذر عن ذلك.',
      },
    ],
  },
  flagged_review: {
    remove: [
      {
        en: 'The review insults a person. Describe what happened instead.',
        nl: 'De review beledigt iemand. Beschrijf liever wat er is gebeurd.',
        de: 'Die Bewertung beleidigt eine Person. Beschreib stattdessen, was passiert ist.',
        fr: 'L’avis insulte une personne. Décrivez plutôt ce qui s’est passé.',
        es: 'La reseña insulta a una persona. Describe mejor lo que pasó.',
        ar: 'يتضمّن التقييم إهانة لشخص. يُرجى وصف ما حدث بدلًا من ذلك.',
      },
      {
        en: 'The review threatens someone, which our rules do not allow.',
        nl: 'De review bedreigt iemand. Dat staan onze regels niet toe.',
        de: 'Die Bewertung bedroht jemanden. Das erlauben unsere Regeln nicht.',
        fr: 'L’avis menace quelqu’un, ce que nos règles n’autorisent pas.',
        es: 'La reseña amenaza a alguien, lo que nuestras normas no permiten.',
        ar: 'يتضمّن التقييم تهديدًا لشخص، وهذا ما لا تسمح به قواعدنا.',
      },
    ],
  },
  job_review: {
    refuse: [
      {
        en: 'The job asks applicants to pay before they work. Workers never pay to get a job on Nearhand.',
        nl: 'De klus vraagt sollicitanten om vooraf te betalen. Op Nearhand betalen medewerkers nooit om een klus te krijgen.',
        de: 'Der Job verlangt, dass man vor der Arbeit zahlt. Auf Nearhand zahlen Arbeitskräfte nie, um einen Job zu bekommen.',
        fr: 'La mission demande aux candidats de payer avant de travailler. Sur Nearhand, un intervenant ne paie jamais pour obtenir une mission.',
        es: 'El empleo pide a los candidatos que paguen antes de trabajar. En Nearhand nadie paga por conseguir un empleo.',
        ar: 'تطلب الوظيفة من المتقدّمين الدفع قبل العمل. لا يدفع العمّال أبدًا مقابل الحصول على وظيفة في Nearhand.',
      },
      {
        en: 'The job sends applicants to a messenger or another site. Please agree and pay on Nearhand.',
        nl: 'De klus stuurt sollicitanten naar een berichtenapp of een andere site. Maak afspraken en betaal via Nearhand.',
        de: 'Der Job verweist auf einen Messenger oder eine andere Website. Bitte vereinbare und bezahle alles auf Nearhand.',
        fr: 'La mission renvoie les candidats vers une messagerie ou un autre site. Convenez de tout et payez sur Nearhand.',
        es: 'El empleo envía a los candidatos a una aplicación de mensajería o a otro sitio. Acuerda y paga en Nearhand, por favor.',
        ar: 'توجّه الوظيفة المتقدّمين إلى تطبيق مراسلة أو موقع آخر. يُرجى الاتّفاق والدفع عبر Nearhand.',
      },
      {
        en: 'The pay is far above what this work is paid nearby, and nothing in the job explains it.',
        nl: 'Het loon is veel hoger dan voor dit werk in de buurt gebruikelijk is, en niets in de klus verklaart dat.',
        de: 'Die Bezahlung liegt weit über dem, was in der Nähe für diese Arbeit üblich ist, und nichts im Job erklärt das.',
        fr: 'La rémunération dépasse de loin ce qui se pratique pour ce travail dans les environs, et rien dans la mission ne l’explique.',
        es: 'El pago está muy por encima de lo que se paga por este trabajo en la zona, y nada en el empleo lo explica.',
        ar: 'الأجر أعلى بكثير من المعتاد لهذا العمل في المنطقة، ولا شيء في الوظيفة يفسّر ذلك.',
      },
      {
        en: 'The text is copied from a job of another business.',
        nl: 'De tekst is overgenomen uit een klus van een ander bedrijf.',
        de: 'Der Text ist aus dem Job eines anderen Unternehmens kopiert.',
        fr: 'Le texte est copié d’une mission d’une autre entreprise.',
        es: 'El texto está copiado de un empleo de otra empresa.',
        ar: 'النصّ منسوخ من وظيفة لمنشأة أخرى.',
      },
    ],
  },
  ticket: {
    answer: [
      {
        en: 'Hello {name},\n\nThank you for writing to us. Could you send a screenshot of what you see?\n\n{operator}, Nearhand',
        nl: 'Hallo {name},\n\nBedankt voor je bericht. Kun je een schermafbeelding sturen van wat je ziet?\n\n{operator}, Nearhand',
        de: 'Hallo {name},\n\ndanke für deine Nachricht. Kannst du uns einen Screenshot von dem schicken, was du siehst?\n\n{operator}, Nearhand',
        fr: 'Bonjour {name},\n\nMerci de nous avoir écrit. Pourriez-vous envoyer une capture d’écran de ce que vous voyez ?\n\n{operator}, Nearhand',
        es: 'Hola, {name}:\n\nGracias por escribirnos. ¿Puedes enviarnos una captura de pantalla de lo que ves?\n\n{operator}, Nearhand',
        ar: 'مرحبًا {name}،\n\nشكرًا على رسالتك. هل يمكنك إرسال لقطة شاشة لما يظهر لك؟\n\n{operator}، Nearhand',
      },
      {
        en: 'Hello {name},\n\nThis is fixed now. Please reload the app, and write to us if it happens again.\n\n{operator}, Nearhand',
        nl: 'Hallo {name},\n\nDit is nu opgelost. Laad de app opnieuw, en laat het ons weten als het weer gebeurt.\n\n{operator}, Nearhand',
        de: 'Hallo {name},\n\ndas ist jetzt behoben. Lade die App bitte neu und schreib uns, wenn es wieder passiert.\n\n{operator}, Nearhand',
        fr: 'Bonjour {name},\n\nLe problème est corrigé. Rechargez l’application et écrivez-nous s’il se reproduit.\n\n{operator}, Nearhand',
        es: 'Hola, {name}:\n\nYa está solucionado. Vuelve a cargar la aplicación y escríbenos si ocurre de nuevo.\n\n{operator}, Nearhand',
        ar: 'مرحبًا {name}،\n\nتمّ إصلاح المشكلة. يُرجى إعادة تحميل التطبيق والكتابة إلينا إن تكرّرت.\n\n{operator}، Nearhand',
      },
      {
        en: 'Hello {name},\n\nWe are looking into “{subject}” and will write to you as soon as we know more.\n\n{operator}, Nearhand',
        nl: 'Hallo {name},\n\nWe zoeken “{subject}” uit en laten het je weten zodra we meer weten.\n\n{operator}, Nearhand',
        de: 'Hallo {name},\n\nwir gehen „{subject}“ nach und melden uns, sobald wir mehr wissen.\n\n{operator}, Nearhand',
        fr: 'Bonjour {name},\n\nNous examinons « {subject} » et vous écrirons dès que nous en saurons plus.\n\n{operator}, Nearhand',
        es: 'Hola, {name}:\n\nEstamos revisando «{subject}» y te escribiremos en cuanto sepamos más.\n\n{operator}, Nearhand',
        ar: 'مرحبًا {name}،\n\nنعمل على «{subject}» وسنكتب إليك حالما نعرف المزيد.\n\n{operator}، Nearhand',
      },
      {
        en: 'Hello {name},\n\nYour withdrawal is on its way. The app shows the day it is expected to arrive. Please write to us if the money is not there by then.\n\n{operator}, Nearhand',
        nl: 'Hallo {name},\n\nJe opname is onderweg. In de app staat op welke dag het geld naar verwachting aankomt. Laat het ons weten als het er dan nog niet is.\n\n{operator}, Nearhand',
        de: 'Hallo {name},\n\ndeine Auszahlung ist unterwegs. In der App siehst du, an welchem Tag das Geld voraussichtlich ankommt. Bitte schreib uns, wenn es dann noch nicht da ist.\n\n{operator}, Nearhand',
        fr: 'Bonjour {name},\n\nVotre retrait est en cours. L’application indique le jour où l’argent devrait arriver. Écrivez-nous s’il n’est pas arrivé d’ici là.\n\n{operator}, Nearhand',
        es: 'Hola, {name}:\n\nTu retirada está en camino. En la aplicación ves el día en que debería llegar el dinero. Escríbenos si para entonces no ha llegado.\n\n{operator}, Nearhand',
        ar: 'مرحبًا {name}،\n\nعملية السحب في طريقها إليك. يظهر في التطبيق اليوم المتوقّع لوصول المبلغ. يُرجى الكتابة إلينا إن لم يصل في ذلك اليوم.\n\n{operator}، Nearhand',
      },
    ],
  },
  referral: {
    pay: [
      {
        en: 'Two different people, and a first job that was done and paid.',
        nl: 'Twee verschillende mensen, en een eerste klus die is gedaan en betaald.',
        de: 'Zwei verschiedene Personen und ein erster Job, der erledigt und bezahlt wurde.',
        fr: 'Deux personnes différentes, et une première mission réalisée et payée.',
        es: 'Dos personas distintas, y un primer empleo hecho y pagado.',
        ar: 'شخصان مختلفان، ووظيفة أولى أُنجزت ودُفع أجرها.',
      },
    ],
    refuse: [
      {
        en: 'Both accounts belong to the same person.',
        nl: 'Beide accounts zijn van dezelfde persoon.',
        de: 'Beide Konten gehören derselben Person.',
        fr: 'Les deux comptes appartiennent à la même personne.',
        es: 'Las dos cuentas son de la misma persona.',
        ar: 'الحسابان لشخص واحد.',
      },
      {
        en: 'The first job was for a business of the person who sent the invitation.',
        nl: 'De eerste klus was voor een bedrijf van degene die de uitnodiging stuurde.',
        de: 'Der erste Job war für ein Unternehmen der Person, die eingeladen hat.',
        fr: 'La première mission était pour une entreprise de la personne qui a envoyé l’invitation.',
        es: 'El primer empleo fue para una empresa de quien envió la invitación.',
        ar: 'كانت الوظيفة الأولى لدى منشأة تعود لمن أرسل الدعوة.',
      },
    ],
  },
  business_verification: {
    'request-info': [
      {
        en: 'Please add the registration number and an extract of the company register, not older than three months.',
        nl: 'Voeg het registratienummer toe en een uittreksel uit het handelsregister van hooguit drie maanden oud.',
        de: 'Bitte ergänze die Registernummer und einen Registerauszug, der höchstens drei Monate alt ist.',
        fr: 'Ajoutez le numéro d’immatriculation et un extrait du registre du commerce de moins de trois mois.',
        es: 'Añade el número de registro y un extracto del registro mercantil de no más de tres meses.',
        ar: 'يُرجى إضافة رقم السجلّ ومستخرج من السجلّ التجاري لا يزيد عمره على ثلاثة أشهر.',
      },
      {
        en: 'The legal name differs from the name in the company register. Please correct one of them.',
        nl: 'De juridische naam is anders dan de naam in het handelsregister. Pas een van beide aan.',
        de: 'Der rechtliche Name weicht vom Namen im Register ab. Bitte korrigiere einen von beiden.',
        fr: 'La raison sociale diffère du nom inscrit au registre du commerce. Corrigez l’un des deux.',
        es: 'La razón social no coincide con el nombre del registro mercantil. Corrige uno de los dos.',
        ar: 'يختلف الاسم القانوني عن الاسم في السجلّ التجاري. يُرجى تصحيح أحدهما.',
      },
      {
        en: 'Please add a document that shows who owns the business.',
        nl: 'Voeg een document toe waaruit blijkt van wie het bedrijf is.',
        de: 'Bitte füge ein Dokument hinzu, aus dem hervorgeht, wem das Unternehmen gehört.',
        fr: 'Ajoutez un document qui indique à qui appartient l’entreprise.',
        es: 'Añade un documento que muestre de quién es la empresa.',
        ar: 'يُرجى إضافة مستند يوضّح مالك المنشأة.',
      },
    ],
    reject: [
      {
        en: 'This registration belongs to another company.',
        nl: 'Deze inschrijving is van een andere onderneming.',
        de: 'Dieser Registereintrag gehört einer anderen Firma.',
        fr: 'Cette immatriculation appartient à une autre société.',
        es: 'Este registro pertenece a otra sociedad.',
        ar: 'هذا السجلّ يعود لشركة أخرى.',
      },
      {
        en: 'The documents are not genuine.',
        nl: 'De documenten zijn niet echt.',
        de: 'Die Dokumente sind nicht echt.',
        fr: 'Les documents ne sont pas authentiques.',
        es: 'Los documentos no son auténticos.',
        ar: 'المستندات غير أصلية.',
      },
      {
        en: 'We found no such company in the register, and you did not add another document.',
        nl: 'We vonden deze onderneming niet in het register, en je hebt geen ander document toegevoegd.',
        de: 'Wir haben die Firma nicht im Register gefunden, und du hast kein anderes Dokument hinzugefügt.',
        fr: 'Nous n’avons pas trouvé cette société dans le registre, et vous n’avez pas ajouté d’autre document.',
        es: 'No hemos encontrado esta sociedad en el registro y no has añadido otro documento.',
        ar: 'لم نجد هذه الشركة في السجلّ، ولم تُضف مستندًا آخر.',
      },
    ],
  },
  identity: {
    'request-info': [
      {
        en: 'Part of the document is not readable. Please take the photo in daylight, without reflections.',
        nl: 'Een deel van het document is niet leesbaar. Maak de foto bij daglicht, zonder weerspiegeling.',
        de: 'Ein Teil des Dokuments ist nicht lesbar. Bitte mach das Foto bei Tageslicht und ohne Spiegelungen.',
        fr: 'Une partie du document n’est pas lisible. Prenez la photo à la lumière du jour, sans reflets.',
        es: 'Una parte del documento no se lee. Haz la foto con luz natural y sin reflejos.',
        ar: 'جزء من المستند غير مقروء. يُرجى التقاط الصورة في ضوء النهار ودون انعكاسات.',
      },
      {
        en: 'The selfie does not show your whole face. Please take it again, without hat or sunglasses.',
        nl: 'Op de selfie is niet je hele gezicht te zien. Maak een nieuwe, zonder pet of zonnebril.',
        de: 'Auf dem Selfie ist nicht dein ganzes Gesicht zu sehen. Bitte mach es noch einmal, ohne Mütze oder Sonnenbrille.',
        fr: 'Le selfie ne montre pas tout votre visage. Reprenez-le, sans chapeau ni lunettes de soleil.',
        es: 'En el selfi no se ve toda tu cara. Hazlo de nuevo, sin gorra ni gafas de sol.',
        ar: 'لا تُظهر الصورة الشخصية الوجه كاملًا. يُرجى التقاطها من جديد دون قبّعة أو نظّارة شمسية.',
      },
      {
        en: 'The name in your account differs from the name in the document. Please correct it in your profile and send the photos again.',
        nl: 'De naam in je account is anders dan die in het document. Pas je naam aan in je profiel en stuur de foto’s opnieuw.',
        de: 'Der Name in deinem Konto weicht von dem im Dokument ab. Bitte korrigiere ihn in deinem Profil und schick die Fotos noch einmal.',
        fr: 'Le nom de votre compte diffère de celui du document. Corrigez-le dans votre profil et renvoyez les photos.',
        es: 'El nombre de tu cuenta no coincide con el del documento. Corrígelo en tu perfil y envía las fotos de nuevo.',
        ar: 'يختلف الاسم في حسابك عن الاسم في المستند. يُرجى تصحيحه في ملفّك الشخصي وإرسال الصور من جديد.',
      },
    ],
    refuse: [
      {
        en: 'The document has expired. You can send one that is valid.',
        nl: 'Het document is verlopen. Je kunt een geldig document sturen.',
        de: 'Das Dokument ist abgelaufen. Du kannst ein gültiges schicken.',
        fr: 'Le document a expiré. Vous pouvez en envoyer un valide.',
        es: 'El documento ha caducado. Puedes enviar uno vigente.',
        ar: 'انتهت صلاحية المستند. يمكنك إرسال مستند ساري المفعول.',
      },
      {
        en: 'The person in the selfie is not the person in the document.',
        nl: 'De persoon op de selfie is niet de persoon in het document.',
        de: 'Die Person auf dem Selfie ist nicht die Person im Dokument.',
        fr: 'La personne du selfie n’est pas celle du document.',
        es: 'La persona del selfi no es la del documento.',
        ar: 'الشخص في الصورة الشخصية ليس هو الشخص في المستند.',
      },
      {
        en: 'The photo shows a copy or a screen, not the document itself.',
        nl: 'Op de foto staat een kopie of een scherm, niet het document zelf.',
        de: 'Das Foto zeigt eine Kopie oder einen Bildschirm, nicht das Dokument selbst.',
        fr: 'La photo montre une copie ou un écran, pas le document lui-même.',
        es: 'La foto muestra una copia o una pantalla, no el documento original.',
        ar: 'تُظهر الصورة نسخة أو شاشة، لا المستند نفسه.',
      },
    ],
  },
  certificate: {
    refuse: [
      {
        en: 'The last day in the certificate is another one. Please send it again with that day.',
        nl: 'De einddatum op het certificaat is een andere. Stuur het opnieuw met die datum.',
        de: 'Im Nachweis steht ein anderer letzter Tag. Bitte schick ihn noch einmal mit diesem Tag.',
        fr: 'Le certificat indique un autre dernier jour. Renvoyez-le avec cette date.',
        es: 'El certificado indica otro último día. Envíalo de nuevo con esa fecha.',
        ar: 'تاريخ الانتهاء في الشهادة مختلف. يُرجى إرسالها من جديد بذلك التاريخ.',
      },
      {
        en: 'The name in the certificate differs from the name in your account.',
        nl: 'De naam op het certificaat is anders dan de naam in je account.',
        de: 'Der Name im Nachweis weicht vom Namen in deinem Konto ab.',
        fr: 'Le nom du certificat diffère de celui de votre compte.',
        es: 'El nombre del certificado no coincide con el de tu cuenta.',
        ar: 'يختلف الاسم في الشهادة عن الاسم في حسابك.',
      },
      {
        en: 'Part of the certificate is not readable. Please take the photo in daylight.',
        nl: 'Een deel van het certificaat is niet leesbaar. Maak de foto bij daglicht.',
        de: 'Ein Teil des Nachweises ist nicht lesbar. Bitte mach das Foto bei Tageslicht.',
        fr: 'Une partie du certificat n’est pas lisible. Prenez la photo à la lumière du jour.',
        es: 'Una parte del certificado no se lee. Haz la foto con luz natural.',
        ar: 'جزء من الشهادة غير مقروء. يُرجى التقاط الصورة في ضوء النهار.',
      },
    ],
  },
  second_approval: {
    refuse: [
      amongOperators('The evidence does not support this amount.'),
      amongOperators('The reason names someone who reported.'),
    ],
  },
  correction: {
    refuse: [
      amongOperators('The payment follows the agreed terms.'),
      amongOperators('Please ask the worker first.'),
    ],
  },
  authority_report: {
    refuse: [
      amongOperators('The facts do not show a danger to life or safety.'),
      amongOperators('More was passed on than the authority needs.'),
    ],
  },
  payout_held: {
    release: [
      amongOperators('The holder is the same person: the bank uses a shorter form of the name.'),
      amongOperators('It is a joint account of the person, who sent a bank statement with both names.'),
    ],
    refuse: [
      {
        en: 'The bank account belongs to someone else. Please add an account in your own name and withdraw to that one.',
        nl: 'De bankrekening is van iemand anders. Voeg een rekening op je eigen naam toe en neem het geld daarop op.',
        de: 'Das Bankkonto gehört jemand anderem. Bitte füge ein Konto auf deinen eigenen Namen hinzu und lass dir das Geld dorthin auszahlen.',
        fr: 'Le compte bancaire appartient à quelqu’un d’autre. Ajoutez un compte à votre nom et demandez le retrait vers celui-ci.',
        es: 'La cuenta bancaria es de otra persona. Añade una cuenta a tu nombre y retira el dinero a esa.',
        ar: 'الحساب البنكي يعود لشخص آخر. يُرجى إضافة حساب باسمك والسحب إليه.',
      },
      {
        en: 'The name of the holder is not the name that we verified. If it is your account, verify your identity with your present name.',
        nl: 'De naam van de rekeninghouder is niet de naam die we hebben geverifieerd. Is het jouw rekening, verifieer dan je identiteit met je huidige naam.',
        de: 'Der Name der Kontoinhaberin oder des Kontoinhabers ist nicht der Name, den wir verifiziert haben. Wenn es dein Konto ist, verifiziere deine Identität mit deinem heutigen Namen.',
        fr: 'Le nom du titulaire n’est pas celui que nous avons vérifié. Si ce compte est le vôtre, vérifiez votre identité avec votre nom actuel.',
        es: 'El nombre del titular no es el que hemos verificado. Si la cuenta es tuya, verifica tu identidad con tu nombre actual.',
        ar: 'اسم صاحب الحساب ليس الاسم الذي تحقّقنا منه. إن كان الحساب لك، يُرجى إثبات هويتك باسمك الحالي.',
      },
    ],
  },
};

/** The texts to start a reason from. */
export const templatesOf = (kind: CaseKind, decision: string | null): readonly Template[] =>
  templates[kind]?.[decision ?? ''] ?? [];
