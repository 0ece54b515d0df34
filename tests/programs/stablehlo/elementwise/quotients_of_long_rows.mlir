// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 0.25 9.5367431640625e-07 2097152
// out: sums -19.7156491 -10.1114762 -44.6925046 12.0213679 50.7888792 41.4646001 36.4157546 21.7291632 -40.1481865 -15.3902543 58.3320319 -10.6465297 24.230914 -11.6326739 32.1433719 -13.5621664
// out: sums 1314.55 1138.33402 1298.1306 1237.92225 1121.15132 1204.64123 1122.12661 1216.84052 1178.32352 1137.51008 1171.98107 1308.31012 1114.18788 1180.76359 1286.26019 1274.26513
// cost: 27 instructions, 1743195 ticks
module {
  func.func public @main(%arg0: tensor<40x400xf32>, %arg1: tensor<40x400xf32>) -> (tensor<40x400xf32>, tensor<40x400xf32>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<40x400xf32>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<40x400xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<40x400xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x400xf32>
    %4 = stablehlo.divide %3, %2 : tensor<40x400xf32>
    return %0, %4 : tensor<40x400xf32>, tensor<40x400xf32>
  }
}
