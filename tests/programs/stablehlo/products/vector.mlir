// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -0.643414877 10.7519042 -10.1192113 11.0402687 14.0903614 -5.64677216 2.65677858 6.5722534 15.5239211 -5.40060969 -20.4030737 -11.8181702 -8.50315751 23.4324994 -0.889230302 -5.5718893
// cost: 11 instructions, 816170 ticks
module {
  func.func public @main(%arg0: tensor<150x60xf32>, %arg1: tensor<60xf32>) -> (tensor<150xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<150x60xf32>, tensor<60xf32>) -> tensor<150xf32>
    return %0 : tensor<150xf32>
  }
}
