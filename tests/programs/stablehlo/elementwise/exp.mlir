// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums 157.360023 294.221837 170.814885 370.140289 75.277505 231.04959 368.196997 29.6319863 142.556389 146.06194 259.400536 6.83994829 115.380959 235.278153 110.423043 78.3171707
// cost: 3 instructions, 559982 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.exponential %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
