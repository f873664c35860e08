// How the search orders what it finds: pages for users first, then those about the project.
// Sphinx reads this file (html_search_scorer) in place of its own Scorer.
var Scorer = {
  // Part of the site, and the factor of its scores. The first that fits counts.
  parts: [
    [/^(howto\/(?!index)|tutorials\/(?!index)|guide\/(?!index))/, 1.3],
    [/^reference\/glossary/, 0.7],
    [/^(reference|index|pictures|report|run|json|inference)/, 1],
    [/^decisions\//, 0.05],
    [/./, 0.3],
  ],

  score: ([page, title, anchor, description, score, file, kind]) => {
    const [, factor] = Scorer.parts.find(([start]) => start.test(page));
    // A method or attribute stands behind the class that has it.
    const isMember = kind === "object" && title.split(".").length > 2;
    return score * factor * (isMember ? 0.2 : 1);
  },

  // The numbers of Sphinx.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
