// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 745.745603 715.900152 617.859076 615.240029 684.081202 682.374375 602.024574 694.924121 703.773579 582.518141 679.633236 671.832859 669.787335 633.351422 732.972474 684.138624
// cost: 12 instructions, 1050356 ticks
module {
  func.func public @main(%arg0: tensor<40x150xf32>, %arg1: tensor<150x40xf32>) -> (tensor<150x40xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<40x150xf32>) -> tensor<150x40xf32>
    %1 = stablehlo.exponential %0 : tensor<150x40xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<150x40xf32>
    return %2 : tensor<150x40xf32>
  }
}
