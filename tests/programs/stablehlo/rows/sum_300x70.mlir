// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 628.77891 577.507266 950.09128 676.746503 656.1779 584.800822 828.141405 656.184182 622.633979 653.558665 656.549698 572.084914 803.793213 716.649118 436.852228 582.538368
// cost: 9 instructions, 722899 ticks
module {
  func.func public @main(%arg0: tensor<300x70xf32>) -> (tensor<300xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<300x70xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<300x70xf32>, tensor<f32>) -> tensor<300xf32>
    return %1 : tensor<300xf32>
  }
}
