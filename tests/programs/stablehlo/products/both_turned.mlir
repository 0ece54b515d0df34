// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -5.40019686 -21.183186 62.4384121 34.2149364 -34.2170613 -15.934636 91.8665852 30.9007797 23.6205581 9.54453591 -66.6088183 26.6080277 0.632251143 11.4958761 26.9170058 -17.2914331
// cost: 8 instructions, 731901 ticks
module {
  func.func public @main(%arg0: tensor<140x33xf32>, %arg1: tensor<21x140xf32>) -> (tensor<33x21xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<140x33xf32>, tensor<21x140xf32>) -> tensor<33x21xf32>
    return %0 : tensor<33x21xf32>
  }
}
