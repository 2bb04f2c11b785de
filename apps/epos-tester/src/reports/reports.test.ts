import { describe, expect, test } from '@jest/globals';
import {
  createCertificate,
  describeObstacle,
  findXmlViolation,
  formatCounts,
  GROUP,
  HOSTILE,
  readExpectedFailures,
  renderHtmlReport,
  renderJsonReport,
  renderJunitReport,
} from '@pos/conformance/testing';
import { buildReport } from '@pos/conformance/reports';
import { EPOS_CATALOGUE } from '../clause-coverage/catalogue.js';

const list = readExpectedFailures(EPOS_CATALOGUE, 'unknown-order/unknown.order # known\nrest pagination');
const report = buildReport(EPOS_CATALOGUE, GROUP, 'failures' in list ? list.failures : []);
const junit = renderJunitReport(EPOS_CATALOGUE, report);
const html = renderHtmlReport(EPOS_CATALOGUE, report);

test('a group is counted by its verdicts, and is as expected only when all of them are', () => {
  expect(formatCounts(report)).toBe('1 passed, 2 failed, 1 failed as expected, 1 passed unexpectedly, 1 skipped');
  expect(report.isAsExpected).toBe(false);
  const sound = { ...GROUP, flows: GROUP.flows.slice(0, 1) };
  expect(buildReport(EPOS_CATALOGUE, sound, [])).toMatchObject({
    isAsExpected: true,
    counts: { passed: 1, failed: 0 },
  });
});

describe('JUnit XML', () => {
  test('matches its snapshot; `jest -u` rewrites it', () => {
    expect(junit).toMatchSnapshot();
  });

  test('is well-formed for every answer of an EPOS', () => {
    expect(findXmlViolation(junit)).toBeNull();
  });

  test('counts only deviations as failures', () => {
    expect(junit).toContain('<testsuites name="EPOS tester" tests="6" failures="3" errors="0" time="61.500">');
    expect(junit).toContain('<testsuite name="rest" tests="5" failures="3" errors="0" skipped="1" time="6.250"');
    expect(junit.match(/<failure /g)).toHaveLength(3);
    expect(junit).toContain('<failure type="schema.type" ');
    expect(junit).toContain('<failure type="passed unexpectedly" ');
  });

  test.each([
    ['a tag that is not closed', junit.replace('</testsuites>', '')],
    ['a tag that closes another', junit.replace('</testsuite>', '</testcase>')],
    ['a bare ampersand', junit.replace('&amp;', '&')],
    ['a bare bracket', junit.replace('&lt;', '<')],
    ['a quote in an attribute', junit.replace('&quot;', '"')],
    ['a control character', junit.replace('\\u0008', '\u0008')],
    ['a second root', `${junit}<more/>`],
    ['no declaration', junit.replace(/^.*\n/, '')],
  ])('is detected as malformed with %s', (_, spoilt) => {
    expect(spoilt).not.toBe(junit);
    expect(findXmlViolation(spoilt)).not.toBeNull();
  });
});

describe('the page', () => {
  test('matches its snapshot; `jest -u` rewrites it', () => {
    expect(
      html.replace(/<style>.*<\/style>/s, '<style></style>').replace(/<section id="clauses">.*/s, ''),
    ).toMatchSnapshot();
  });

  test('loads nothing and runs nothing', () => {
    expect(
      html.match(/<(?:script|link|img|iframe|object|embed|base|form)\b|\bon\w+=|\bsrc=|@import|url\(/gi),
    ).toBeNull();
    expect([...html.matchAll(/\bhref="([^"]*)"/g)].filter(([, to = '']) => !to.startsWith('#'))).toEqual([]);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('shows what an EPOS has answered as text', () => {
    expect(html).not.toContain(HOSTILE);
    expect(html).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; ]]&gt; &lt;!-- --&gt; &amp; \\u0000\\u0008',
    );
  });

  test('lists for every clause the flows that tested it, or a reason', () => {
    const rows = html.slice(html.indexOf('<section id="clauses">')).match(/<tr class="(?:held|broken|gap)" id="/g);
    expect(rows).toHaveLength(report.coverage.length);
    expect(html).toContain('<code>area.named</code> ');
  });
});

test('JSON contains all of it, and can be parsed', () => {
  const { subject: epos, ...rest } = report;
  const { obstacles, ...proven } = createCertificate(EPOS_CATALOGUE, report);
  const certificate = { ...proven, reasons: obstacles.map(describeObstacle) };
  expect(JSON.parse(renderJsonReport(EPOS_CATALOGUE, report))).toEqual({ format: 1, epos, certificate, ...rest });
});
