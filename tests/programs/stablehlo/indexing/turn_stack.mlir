// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -16.6943716 -67.2675954 118.472553 87.1061783 -17.6536321 64.6406269 -152.527504 134.663395 113.678245 146.573475 40.6536941 4.55813843 -104.183488 14.5927037 -80.478042 -136.761789
// cost: 54 instructions, 4631880 ticks
module {
  func.func public @main(%arg0: tensor<24x70x130xf32>) -> (tensor<130x70x24xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<24x70x130xf32>) -> tensor<130x70x24xf32>
    return %0 : tensor<130x70x24xf32>
  }
}
