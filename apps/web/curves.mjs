// Curves of probes over time, a small plot each, in an element that opens and closes.
import uPlot from 'uplot';

const MOST = 2000;  // samples of a curve; then every second one is left out

export class Curves {
  constructor(element, titles) {
    Object.assign(this, { element, series: [], now: null });
    element.querySelector('div').replaceChildren();
    this.show(titles.map((title) => ({ title, times: [], values: [] })));
    element.ontoggle = () => this.draw();
  }

  // Only those that have something to show.
  show(series) {
    this.series = series.filter(({ title }) => title !== '');
    this.element.hidden = this.series.length === 0;
    this.element.open = this.series.length > 0 && innerWidth > 900 && innerHeight > 600;
    this.plots = null;
    this.draw();
  }

  // Samples: the time, and a value of each curve, in their order.
  add(samples) {
    for (const [time, ...values] of samples) {
      this.series.forEach((one, k) => {
        if (!Number.isFinite(values[k])) return;
        if (one.times.length >= MOST) for (const key of ['times', 'values']) one[key] = one[key].filter((_, i) => i % 2 === 0);
        one.times.push(time);
        one.values.push(values[k]);
      });
    }
    if (samples.length > 0) this.draw();
  }

  // The time that is shown, as a line.
  mark(time) {
    this.now = time;
    this.draw();
  }

  draw() {
    if (this.element.hidden || !this.element.open) return;
    const holder = this.element.querySelector('div');
    if (this.plots === null) {
      holder.replaceChildren();
      this.plots = this.series.map(({ title }) => this.plot(holder, title));
    }
    this.series.forEach(({ title, times, values }, k) => {
      this.plots[k].setData([times, values]);
      const last = values.at(-1);
      this.plots[k].root.setAttribute('aria-label', `${title}${last === undefined ? '' : `, now ${last.toPrecision(3)}`}`);
    });
  }

  plot(holder, title) {
    const mark = (plot) => {
      if (this.now === null) return;
      const x = plot.valToPos(this.now, 'x', true), { top, height } = plot.bbox;
      plot.ctx.fillStyle = '#b23a1a';
      plot.ctx.fillRect(x - 1, top, 2, height);
    };
    const plot = new uPlot({ title, width: 280, height: 130, legend: { show: false }, cursor: { show: false }, scales: { x: { time: false } },
      axes: [{ size: 24, label: 't, s', labelSize: 16, labelFont: '11px system-ui', font: '11px system-ui' }, { size: 52, font: '11px system-ui' }],
      series: [{}, { stroke: '#1769aa', width: 2, points: { show: false } }], hooks: { draw: [mark] } }, [[], []], holder);
    plot.root.setAttribute('role', 'img');
    return plot;
  }
}
