// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 44.113521 -26.2820704 5.16525184 -63.718873 -52.6826076 -114.2577 -97.97595 -71.3699673 -27.7335026 -97.4964513 -54.7159203 -69.3421318 -59.6615385 -180.864457 -56.8796689 -5.44990165
// cost: 12 instructions, 828513 ticks
module {
  func.func public @main(%arg0: tensor<40x30xf32>, %arg1: tensor<30x150xf32>, %arg2: tensor<150x20xf32>) -> (tensor<40x20xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x30xf32>, tensor<30x150xf32>) -> tensor<40x150xf32>
    %1 = call @silu(%0) : (tensor<40x150xf32>) -> tensor<40x150xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x150xf32>, tensor<150x20xf32>) -> tensor<40x20xf32>
    return %2 : tensor<40x20xf32>
  }
  func.func private @silu(%arg0: tensor<40x150xf32>) -> tensor<40x150xf32> {
    %0 = stablehlo.negate %arg0 : tensor<40x150xf32>
    %1 = stablehlo.exponential %0 : tensor<40x150xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x150xf32>
    %3 = stablehlo.add %2, %1 : tensor<40x150xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x150xf32>
    %5 = stablehlo.divide %4, %3 : tensor<40x150xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<40x150xf32>
    return %6 : tensor<40x150xf32>
  }
}
