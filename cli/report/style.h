// The style sheet of the HTML report: light and dark by the reader's setting, and on paper. Kept as
// one string so that the page needs nothing from anywhere.
#pragma once

namespace ethio::report {

inline constexpr const char* kStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b1f24; --faint: #57606a; --rule: #d8dee4; --panel: #f6f8fa;
  --good: #1a7f37; --ugly: #8a5a00; --bad: #c21a2b; --mine: #0550ae;
  --good-fill: #a8dcb5; --ugly-fill: #f0d089; --bad-fill: #f3aeb0; --mine-fill: #0969da;
  --c0: #0067a5; --c1: #c4500c; --c2: #00805a; --c3: #a83279; --c4: #7a6400; --c5: #3a86c8; --c6: #555b61; --c7: #6f42c1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --ink: #e6edf3; --faint: #9198a1; --rule: #30363d; --panel: #161b22;
    --good: #4ac26b; --ugly: #d9a33f; --bad: #ff7b72; --mine: #79c0ff;
    --good-fill: #1f6f3a; --ugly-fill: #7d5a12; --bad-fill: #8c2f33; --mine-fill: #388bfd;
    --c0: #58a6ff; --c1: #ff9a56; --c2: #3fd0a0; --c3: #f08cc8; --c4: #e3c64b; --c5: #9ecbff; --c6: #b1bac4; --c7: #bc8cff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1160px; padding: 1.5rem 1rem 3rem; background: var(--page); color: var(--ink);
       font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { font-size: 1.4rem; margin: 0; } main { display: block; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--rule); padding-bottom: .25rem; }
h2.target { border: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: var(--mine); }
.lead, figcaption { color: var(--faint); font-size: .9rem; overflow-wrap: anywhere; }
.lead { margin: .2rem 0 .6rem; }
.absent { color: var(--faint); margin: .4rem 0; }
.headline { font-size: 1.2rem; font-weight: 600; padding: .8rem 1rem; border-left: .4rem solid var(--faint);
            background: var(--panel); }
.headline.good { border-color: var(--good); } .headline.ugly { border-color: var(--ugly); }
.headline.bad { border-color: var(--bad); }
.warning { color: var(--bad); font-weight: 600; }
.badge { font-weight: 600; white-space: nowrap; }
.badge.good { color: var(--good); } .badge.ugly { color: var(--ugly); } .badge.bad { color: var(--bad); }
.badge.unknown { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
thead th { color: var(--faint); font-weight: 500; vertical-align: bottom; }
tbody th { font-weight: 600; overflow-wrap: anywhere; }
.short { white-space: nowrap; }
td.prose { min-width: 15rem; overflow-wrap: anywhere; }
.scroll + .scroll { margin-top: 1rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead th.number { white-space: normal; }
ul { padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
pre { background: var(--panel); padding: .8rem; overflow-x: auto; font-size: .8rem; white-space: pre-wrap;
      overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
svg { width: 100%; min-width: 44rem; height: auto; display: block; font: 12px system-ui, -apple-system, "Liberation Sans", sans-serif; }
svg text { fill: var(--ink); } svg .tick { fill: var(--faint); } svg .mine { font-weight: 700; fill: var(--mine); }
.grid { stroke: var(--rule); stroke-width: 1; }
.series { fill: none; stroke-width: 2; stroke-linejoin: round; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); stroke-dasharray: 7 3; }
.s2 { stroke: var(--c2); stroke-dasharray: 2 3; } .s3 { stroke: var(--c3); stroke-dasharray: 9 3 2 3; }
.s4 { stroke: var(--c4); } .s5 { stroke: var(--c5); stroke-dasharray: 7 3; }
.s6 { stroke: var(--c6); stroke-dasharray: 2 3; } .s7 { stroke: var(--c7); stroke-dasharray: 9 3 2 3; }
.band { stroke: none; } .band.even { fill: var(--panel); } .band.odd { fill: none; }
.band.background { fill: var(--ugly-fill); opacity: .45; }
.within { fill: var(--c0); opacity: .55; } .over { fill: var(--bad); }
.budget { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 6 4; }
.bar.good { fill: var(--good-fill); } .bar.ugly { fill: var(--ugly-fill); } .bar.bad { fill: var(--bad-fill); }
.bar.mine { fill: var(--mine-fill); }
@media print {
  body { max-width: none; padding: 0; font-size: 11px; }
  section, figure, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  svg, td.prose { min-width: 0; }
  table { font-size: 9px; } th, td { padding: .15rem .3rem; }
}
)css";

}  // namespace ethio::report
