// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 113.067824 156.257341 162.784689 122.57912 115.7358 82.5988608 129.102017 92.6703872 94.0176921 108.846223 93.190754 95.0649957 145.525421 130.764745 96.9110966 108.066825
// cost: 163 instructions, 2497105 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>) -> (tensor<20x30xf32>) {
    %0 = stablehlo.exponential %arg0 : tensor<20x30xf32>
    %1 = stablehlo.exponential %arg0 : tensor<20x30xf32>
    %2 = stablehlo.exponential %arg0 : tensor<20x30xf32>
    %3 = stablehlo.sine %2 : tensor<20x30xf32>
    %4 = stablehlo.multiply %1, %3 : tensor<20x30xf32>
    %5 = stablehlo.add %0, %4 : tensor<20x30xf32>
    return %5 : tensor<20x30xf32>
  }
}
