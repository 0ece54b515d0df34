// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 70.8410095 46.761415 80.1118058 55.4011311 50.161001 23.4531318 70.3384946 43.4376334 51.0847796 61.6460283 38.5306208 39.059585 63.7090008 94.786984 29.0868525 51.8047641
// cost: 35 instructions, 7725241 ticks
module {
  func.func public @main(%arg0: tensor<20x9xf32>) -> (tensor<20x9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x9xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<20x9xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %1) : tensor<20x9xf32>, tensor<i32>, tensor<i32>, tensor<20x9xf32>
    cond {
      %c_4 = stablehlo.constant dense<7> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<20x9xf32>, tensor<i32>, tensor<20x9xf32>) -> (tensor<i32>, tensor<20x9xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %4, %3#0, %3#1 : tensor<20x9xf32>, tensor<i32>, tensor<i32>, tensor<20x9xf32>
    }
    return %2#3 : tensor<20x9xf32>
  }
  func.func private @closed_call(%arg0: tensor<20x9xf32>, %arg1: tensor<i32>, %arg2: tensor<20x9xf32>) -> (tensor<i32>, tensor<20x9xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<20> : tensor<i32>
    %4 = stablehlo.add %c_3, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.select %3, %4, %c_5 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<9> : tensor<i32>
    %7 = stablehlo.add %2, %c_7 : tensor<i32>
    %8 = stablehlo.select %6, %7, %2 : tensor<i1>, tensor<i32>
    %9 = stablehlo.dynamic_slice %arg0, %5, %8, sizes = [20, 1] : (tensor<20x9xf32>, tensor<i32>, tensor<i32>) -> tensor<20x1xf32>
    %10 = stablehlo.reshape %9 : (tensor<20x1xf32>) -> tensor<20xf32>
    %11 = stablehlo.tanh %10 : tensor<20xf32>
    %12 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %14 = stablehlo.add %11, %13 : tensor<20xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.compare LT, %1, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<9> : tensor<i32>
    %16 = stablehlo.add %1, %c_9 : tensor<i32>
    %17 = stablehlo.select %15, %16, %1 : tensor<i1>, tensor<i32>
    %18 = stablehlo.convert %17 : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %20 = "stablehlo.scatter"(%arg2, %19, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<20x9xf32>, tensor<1xi32>, tensor<20xf32>) -> tensor<20x9xf32>
    return %0, %20 : tensor<i32>, tensor<20x9xf32>
  }
}
