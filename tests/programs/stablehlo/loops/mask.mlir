// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.137816001 15.0528273 1.64436308 -11.7388641 -0.0360183576 -7.23971366 1.62587937 -5.92241879 -2.43420765 -4.59901576 -4.56889653 -0.0666706348 -1.07288826 1.93143512 6.01693089 -4.02707977
// cost: 22 instructions, 2387083 ticks
module {
  func.func public @main(%arg0: tensor<32x32xf32>) -> (tensor<32x32xf32>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %1 = call @tril(%0) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %1, %iterArg_2 = %c_1, %iterArg_3 = %c_0, %iterArg_4 = %arg0) : tensor<32x32xi1>, tensor<i32>, tensor<i32>, tensor<32x32xf32>
    cond {
      %c_5 = stablehlo.constant dense<3> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3:2 = func.call @closed_call(%iterArg, %iterArg_3, %iterArg_4) : (tensor<32x32xi1>, tensor<i32>, tensor<32x32xf32>) -> (tensor<i32>, tensor<32x32xf32>)
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_2, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %4, %3#0, %3#1 : tensor<32x32xi1>, tensor<i32>, tensor<i32>, tensor<32x32xf32>
    }
    return %2#3 : tensor<32x32xf32>
  }
  func.func private @tril(%arg0: tensor<32x32xi1>) -> tensor<32x32xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32x32xi32>
    %2 = stablehlo.add %0, %1 : tensor<32x32xi32>
    %3 = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<32x32xi1>, tensor<32x32xi1>
    return %6 : tensor<32x32xi1>
  }
  func.func private @closed_call(%arg0: tensor<32x32xi1>, %arg1: tensor<i32>, %arg2: tensor<32x32xf32>) -> (tensor<i32>, tensor<32x32xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<32x32xf32>
    %3 = call @_where(%arg0, %2, %arg2) : (tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    return %0, %3 : tensor<i32>, tensor<32x32xf32>
  }
  func.func private @_where(%arg0: tensor<32x32xi1>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<32x32xi1>, tensor<32x32xf32>
    return %0 : tensor<32x32xf32>
  }
}
