// tolerance: 0.005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: sums 1015.72704 -1634.99882 21.4605579 -529.931515 -501.839246 -619.869003 289.868152 -76.0368737 263.46303 554.874193 -1299.49353 -33.1190026 -812.425062 232.160622 -139.190098 -2076.66472
// out: sums 70.8238636 827.364424 415.420981 -761.678397 -957.566778 545.192893 -1459.73515 622.429338 -607.146668 1701.51364 -347.463372 -306.325775 -596.636099 1047.57486 -2274.53663 -399.411875
// cost: 1463 instructions, 37212614 ticks
module {
  func.func public @main(%arg0: tensor<256x64xf32>, %arg1: tensor<64x8xf32>, %arg2: tensor<8x64x96xf32>, %arg3: tensor<8x96x64xf32>) -> (tensor<256x64xf32>, tensor<8x64x96xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x8xf32>) -> tensor<256x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<256x8xf32>, tensor<f32>) -> tensor<256xf32>
    %2 = stablehlo.reshape %1 : (tensor<256xf32>) -> tensor<256x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %4 = stablehlo.compare EQ, %0, %3, FLOAT : (tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x8xi1>
    %5 = stablehlo.convert %4 : (tensor<256x8xi1>) -> tensor<256x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<256x8xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %8 = stablehlo.maximum %7, %1 : tensor<256xf32>
    %9 = stablehlo.compare EQ, %1, %8, FLOAT : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %12 = stablehlo.select %9, %10, %11 : tensor<256xi1>, tensor<256xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %14 = stablehlo.compare EQ, %13, %8, FLOAT : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %17 = stablehlo.select %14, %15, %16 : tensor<256xi1>, tensor<256xf32>
    %18 = stablehlo.divide %12, %17 : tensor<256xf32>
    %19 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %21 = stablehlo.subtract %0, %20 : tensor<256x8xf32>
    %22 = stablehlo.exponential %21 : tensor<256x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<256x8xf32>, tensor<f32>) -> tensor<256xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %26 = stablehlo.divide %22, %25 : tensor<256x8xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<256x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<256x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<256x1xf32>
    %values, %indices = chlo.top_k(%26, k = 2) : tensor<256x8xf32> -> (tensor<256x2xf32>, tensor<256x2xi32>)
    %30 = stablehlo.reshape %indices : (tensor<256x2xi32>) -> tensor<256x2x1xi32>
    %31 = stablehlo.reshape %indices : (tensor<256x2xi32>) -> tensor<512xi32>
    %32 = call @argsort(%31) : (tensor<512xi32>) -> tensor<512xi32>
    %33 = stablehlo.reshape %indices : (tensor<256x2xi32>) -> tensor<512xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %35 = call @clip(%33, %c_9) : (tensor<512xi32>, tensor<i32>) -> tensor<512xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %37 = stablehlo.compare LT, %35, %36, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %c_11 = stablehlo.constant dense<8> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %39 = stablehlo.add %35, %38 : tensor<512xi32>
    %40 = stablehlo.select %37, %39, %35 : tensor<512xi1>, tensor<512xi32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %43 = "stablehlo.scatter"(%34, %41, %42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      %208 = stablehlo.add %arg4, %arg5 : tensor<i32>
      stablehlo.return %208 : tensor<i32>
    }) : (tensor<8xi32>, tensor<512x1xi32>, tensor<512xi32>) -> tensor<8xi32>
    %44 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<256x64xf32>) -> tensor<256x2x64xf32>
    %45 = stablehlo.reshape %44 : (tensor<256x2x64xf32>) -> tensor<512x64xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %47 = stablehlo.compare LT, %32, %46, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %c_14 = stablehlo.constant dense<512> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %49 = stablehlo.add %32, %48 : tensor<512xi32>
    %50 = stablehlo.select %47, %49, %32 : tensor<512xi1>, tensor<512xi32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %52 = "stablehlo.gather"(%45, %51) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<512x64xf32>, tensor<512x1xi32>) -> tensor<512x64xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [1, 2] : (tensor<512x64xf32>) -> tensor<8x512x64xf32>
    %54 = stablehlo.iota dim = 1 : tensor<8x512x64xi32>
    %55 = call @cumsum(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %57 = stablehlo.slice %56 [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %58 = stablehlo.slice %55 [0:7] : (tensor<8xi32>) -> tensor<7xi32>
    %59 = stablehlo.concatenate %57, %58, dim = 0 : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    %60 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<8xi32>) -> tensor<8x512x64xi32>
    %61 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<8xi32>) -> tensor<8x512x64xi32>
    %62 = stablehlo.compare LE, %61, %54, SIGNED : (tensor<8x512x64xi32>, tensor<8x512x64xi32>) -> tensor<8x512x64xi1>
    %63 = stablehlo.compare LT, %54, %60, SIGNED : (tensor<8x512x64xi32>, tensor<8x512x64xi32>) -> tensor<8x512x64xi1>
    %64 = stablehlo.and %62, %63 : tensor<8x512x64xi1>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x512x64xf32>
    %66 = stablehlo.select %64, %53, %65 : tensor<8x512x64xi1>, tensor<8x512x64xf32>
    %67 = stablehlo.dot_general %66, %arg2, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x512x64xf32>, tensor<8x64x96xf32>) -> tensor<512x96xf32>
    %68:3 = call @silu(%67) : (tensor<512x96xf32>) -> (tensor<512x96xf32>, tensor<512x96xf32>, tensor<512x96xf32>)
    %69 = stablehlo.broadcast_in_dim %68#0, dims = [1, 2] : (tensor<512x96xf32>) -> tensor<8x512x96xf32>
    %70 = stablehlo.iota dim = 1 : tensor<8x512x96xi32>
    %71 = call @cumsum(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %73 = stablehlo.slice %72 [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %74 = stablehlo.slice %71 [0:7] : (tensor<8xi32>) -> tensor<7xi32>
    %75 = stablehlo.concatenate %73, %74, dim = 0 : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    %76 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<8xi32>) -> tensor<8x512x96xi32>
    %77 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<8xi32>) -> tensor<8x512x96xi32>
    %78 = stablehlo.compare LE, %77, %70, SIGNED : (tensor<8x512x96xi32>, tensor<8x512x96xi32>) -> tensor<8x512x96xi1>
    %79 = stablehlo.compare LT, %70, %76, SIGNED : (tensor<8x512x96xi32>, tensor<8x512x96xi32>) -> tensor<8x512x96xi1>
    %80 = stablehlo.and %78, %79 : tensor<8x512x96xi1>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x512x96xf32>
    %82 = stablehlo.select %80, %69, %81 : tensor<8x512x96xi1>, tensor<8x512x96xf32>
    %83 = stablehlo.dot_general %82, %arg3, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x512x96xf32>, tensor<8x96x64xf32>) -> tensor<512x64xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %85 = stablehlo.reshape %values : (tensor<256x2xf32>) -> tensor<512xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %86 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %87 = stablehlo.compare LT, %32, %86, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %c_21 = stablehlo.constant dense<512> : tensor<i32>
    %88 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %89 = stablehlo.add %32, %88 : tensor<512xi32>
    %90 = stablehlo.select %87, %89, %32 : tensor<512xi1>, tensor<512xi32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %92 = "stablehlo.gather"(%85, %91) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<512xf32>, tensor<512x1xi32>) -> tensor<512xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x64xf32>
    %95 = stablehlo.multiply %83, %94 : tensor<512x64xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %c_23 = stablehlo.constant dense<2> : tensor<i32>
    %97 = call @floor_divide(%32, %c_23) : (tensor<512xi32>, tensor<i32>) -> tensor<512xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %99 = stablehlo.compare LT, %97, %98, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %c_25 = stablehlo.constant dense<256> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %101 = stablehlo.add %97, %100 : tensor<512xi32>
    %102 = stablehlo.select %99, %101, %97 : tensor<512xi1>, tensor<512xi32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<512xi32>) -> tensor<512x1xi32>
    %104 = "stablehlo.scatter"(%96, %103, %95) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %208 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %208 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<512x1xi32>, tensor<512x64xf32>) -> tensor<256x64xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%104 init: %cst_27) applies stablehlo.add across dimensions = [0, 1] : (tensor<256x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %c_29 = stablehlo.constant dense<255> : tensor<1xi32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<512x1xi32>
    %109 = stablehlo.compare GE, %103, %108, SIGNED : (tensor<512x1xi32>, tensor<512x1xi32>) -> tensor<512x1xi1>
    %110 = stablehlo.broadcast_in_dim %c_29, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<512x1xi32>
    %112 = stablehlo.compare LE, %103, %111, SIGNED : (tensor<512x1xi32>, tensor<512x1xi32>) -> tensor<512x1xi1>
    %113 = stablehlo.and %109, %112 : tensor<512x1xi1>
    %c_31 = stablehlo.constant dense<true> : tensor<i1>
    %114 = stablehlo.reduce(%113 init: %c_31) applies stablehlo.and across dimensions = [1] : (tensor<512x1xi1>, tensor<i1>) -> tensor<512xi1>
    %115 = "stablehlo.gather"(%107, %103) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<512x1xi32>) -> tensor<512x64xf32>
    %116 = stablehlo.broadcast_in_dim %114, dims = [0] : (tensor<512xi1>) -> tensor<512x64xi1>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %118 = stablehlo.select %116, %115, %117 : tensor<512x64xi1>, tensor<512x64xf32>
    %119 = stablehlo.multiply %83, %118 : tensor<512x64xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_33) applies stablehlo.add across dimensions = [1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<512xf32>
    %121 = stablehlo.reshape %120 : (tensor<512xf32>) -> tensor<512x1xf32>
    %122 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x64xf32>
    %123 = stablehlo.multiply %118, %122 : tensor<512x64xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.reduce(%121 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %126 = "stablehlo.scatter"(%125, %91, %124) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %208 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %208 : tensor<f32>
    }) : (tensor<512xf32>, tensor<512x1xi32>, tensor<512xf32>) -> tensor<512xf32>
    %127 = stablehlo.reshape %126 : (tensor<512xf32>) -> tensor<256x2xf32>
    %128 = stablehlo.broadcast_in_dim %123, dims = [1, 2] : (tensor<512x64xf32>) -> tensor<8x512x64xf32>
    %129 = stablehlo.iota dim = 1 : tensor<8x512x64xi32>
    %130 = call @cumsum(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %131 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %132 = stablehlo.slice %131 [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %133 = stablehlo.slice %130 [0:7] : (tensor<8xi32>) -> tensor<7xi32>
    %134 = stablehlo.concatenate %132, %133, dim = 0 : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    %135 = stablehlo.broadcast_in_dim %130, dims = [0] : (tensor<8xi32>) -> tensor<8x512x64xi32>
    %136 = stablehlo.broadcast_in_dim %134, dims = [0] : (tensor<8xi32>) -> tensor<8x512x64xi32>
    %137 = stablehlo.compare LE, %136, %129, SIGNED : (tensor<8x512x64xi32>, tensor<8x512x64xi32>) -> tensor<8x512x64xi1>
    %138 = stablehlo.compare LT, %129, %135, SIGNED : (tensor<8x512x64xi32>, tensor<8x512x64xi32>) -> tensor<8x512x64xi1>
    %139 = stablehlo.and %137, %138 : tensor<8x512x64xi1>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x512x64xf32>
    %141 = stablehlo.select %139, %128, %140 : tensor<8x512x64xi1>, tensor<8x512x64xf32>
    %142 = stablehlo.dot_general %141, %arg3, contracting_dims = [2, 0] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x512x64xf32>, tensor<8x96x64xf32>) -> tensor<512x96xf32>
    %143 = call @silu_0(%68#1, %68#2, %67, %142) : (tensor<512x96xf32>, tensor<512x96xf32>, tensor<512x96xf32>, tensor<512x96xf32>) -> tensor<512x96xf32>
    %144 = stablehlo.broadcast_in_dim %52, dims = [1, 2] : (tensor<512x64xf32>) -> tensor<8x512x64xf32>
    %145 = stablehlo.iota dim = 1 : tensor<8x512x64xi32>
    %146 = call @cumsum(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %147 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %148 = stablehlo.slice %147 [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %149 = stablehlo.slice %146 [0:7] : (tensor<8xi32>) -> tensor<7xi32>
    %150 = stablehlo.concatenate %148, %149, dim = 0 : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    %151 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<8xi32>) -> tensor<8x512x64xi32>
    %152 = stablehlo.broadcast_in_dim %150, dims = [0] : (tensor<8xi32>) -> tensor<8x512x64xi32>
    %153 = stablehlo.compare LE, %152, %145, SIGNED : (tensor<8x512x64xi32>, tensor<8x512x64xi32>) -> tensor<8x512x64xi1>
    %154 = stablehlo.compare LT, %145, %151, SIGNED : (tensor<8x512x64xi32>, tensor<8x512x64xi32>) -> tensor<8x512x64xi1>
    %155 = stablehlo.and %153, %154 : tensor<8x512x64xi1>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x512x64xf32>
    %157 = stablehlo.select %155, %144, %156 : tensor<8x512x64xi1>, tensor<8x512x64xf32>
    %158 = stablehlo.broadcast_in_dim %143, dims = [1, 2] : (tensor<512x96xf32>) -> tensor<8x512x96xf32>
    %159 = stablehlo.iota dim = 1 : tensor<8x512x96xi32>
    %160 = call @cumsum(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %161 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %162 = stablehlo.slice %161 [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %163 = stablehlo.slice %160 [0:7] : (tensor<8xi32>) -> tensor<7xi32>
    %164 = stablehlo.concatenate %162, %163, dim = 0 : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    %165 = stablehlo.broadcast_in_dim %160, dims = [0] : (tensor<8xi32>) -> tensor<8x512x96xi32>
    %166 = stablehlo.broadcast_in_dim %164, dims = [0] : (tensor<8xi32>) -> tensor<8x512x96xi32>
    %167 = stablehlo.compare LE, %166, %159, SIGNED : (tensor<8x512x96xi32>, tensor<8x512x96xi32>) -> tensor<8x512x96xi1>
    %168 = stablehlo.compare LT, %159, %165, SIGNED : (tensor<8x512x96xi32>, tensor<8x512x96xi32>) -> tensor<8x512x96xi1>
    %169 = stablehlo.and %167, %168 : tensor<8x512x96xi1>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x512x96xf32>
    %171 = stablehlo.select %169, %158, %170 : tensor<8x512x96xi1>, tensor<8x512x96xf32>
    %172 = stablehlo.dot_general %157, %171, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x64xf32>, tensor<8x512x96xf32>) -> tensor<8x64x96xf32>
    %173 = stablehlo.broadcast_in_dim %143, dims = [1, 2] : (tensor<512x96xf32>) -> tensor<8x512x96xf32>
    %174 = stablehlo.iota dim = 1 : tensor<8x512x96xi32>
    %175 = call @cumsum(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %176 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %177 = stablehlo.slice %176 [0:1] : (tensor<8xi32>) -> tensor<1xi32>
    %178 = stablehlo.slice %175 [0:7] : (tensor<8xi32>) -> tensor<7xi32>
    %179 = stablehlo.concatenate %177, %178, dim = 0 : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    %180 = stablehlo.broadcast_in_dim %175, dims = [0] : (tensor<8xi32>) -> tensor<8x512x96xi32>
    %181 = stablehlo.broadcast_in_dim %179, dims = [0] : (tensor<8xi32>) -> tensor<8x512x96xi32>
    %182 = stablehlo.compare LE, %181, %174, SIGNED : (tensor<8x512x96xi32>, tensor<8x512x96xi32>) -> tensor<8x512x96xi1>
    %183 = stablehlo.compare LT, %174, %180, SIGNED : (tensor<8x512x96xi32>, tensor<8x512x96xi32>) -> tensor<8x512x96xi1>
    %184 = stablehlo.and %182, %183 : tensor<8x512x96xi1>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x512x96xf32>
    %186 = stablehlo.select %184, %173, %185 : tensor<8x512x96xi1>, tensor<8x512x96xf32>
    %187 = stablehlo.dot_general %186, %arg2, contracting_dims = [2, 0] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x512x96xf32>, tensor<8x64x96xf32>) -> tensor<512x64xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %189 = "stablehlo.scatter"(%188, %51, %187) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %208 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %208 : tensor<f32>
    }) : (tensor<512x64xf32>, tensor<512x1xi32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    %190 = stablehlo.reshape %189 : (tensor<512x64xf32>) -> tensor<256x2x64xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.reduce(%190 init: %cst_45) applies stablehlo.add across dimensions = [1] : (tensor<256x2x64xf32>, tensor<f32>) -> tensor<256x64xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<256x8xf32>
    %193 = "stablehlo.scatter"(%192, %30, %127) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %208 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %208 : tensor<f32>
    }) : (tensor<256x8xf32>, tensor<256x2x1xi32>, tensor<256x2xf32>) -> tensor<256x8xf32>
    %194 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %195 = stablehlo.multiply %193, %194 : tensor<256x8xf32>
    %196 = stablehlo.multiply %195, %22 : tensor<256x8xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = stablehlo.reduce(%196 init: %cst_47) applies stablehlo.add across dimensions = [1] : (tensor<256x8xf32>, tensor<f32>) -> tensor<256xf32>
    %198 = stablehlo.reshape %197 : (tensor<256xf32>) -> tensor<256x1xf32>
    %199 = stablehlo.negate %198 : tensor<256x1xf32>
    %200 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %201 = stablehlo.divide %193, %200 : tensor<256x8xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%199 init: %cst_48) applies stablehlo.add across dimensions = [1] : (tensor<256x1xf32>, tensor<f32>) -> tensor<256xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0] : (tensor<256xf32>) -> tensor<256x8xf32>
    %204 = stablehlo.add %201, %203 : tensor<256x8xf32>
    %205 = stablehlo.multiply %204, %22 : tensor<256x8xf32>
    %206 = stablehlo.dot_general %205, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x8xf32>, tensor<64x8xf32>) -> tensor<256x64xf32>
    %207 = stablehlo.add %191, %206 : tensor<256x64xf32>
    return %207, %172 : tensor<256x64xf32>, tensor<8x64x96xf32>
  }
  func.func private @argsort(%arg0: tensor<512xi32>) -> tensor<512xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<512xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<512xi32>, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>)
    return %1#1 : tensor<512xi32>
  }
  func.func private @clip(%arg0: tensor<512xi32>, %arg1: tensor<i32>) -> tensor<512xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<512xi32>
    return %2 : tensor<512xi32>
  }
  func.func private @cumsum(%arg0: tensor<8xi32>) -> tensor<8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @silu(%arg0: tensor<512x96xf32>) -> (tensor<512x96xf32>, tensor<512x96xf32>, tensor<512x96xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<512x96xf32>
    %1 = stablehlo.exponential %0 : tensor<512x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<512x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<512x96xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x96xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<512x96xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<512x96xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<512x96xf32>
    return %9, %8, %5 : tensor<512x96xf32>, tensor<512x96xf32>, tensor<512x96xf32>
  }
  func.func private @floor_divide(%arg0: tensor<512xi32>, %arg1: tensor<i32>) -> tensor<512xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<512xi32>
    %3 = stablehlo.sign %arg0 : tensor<512xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<512xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<512xi32>, tensor<512xi32>) -> tensor<512xi1>
    %11 = stablehlo.and %6, %10 : tensor<512xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<512xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<512xi32>
    %14 = call @_where(%11, %13, %2) : (tensor<512xi1>, tensor<512xi32>, tensor<512xi32>) -> tensor<512xi32>
    return %14 : tensor<512xi32>
  }
  func.func private @_where(%arg0: tensor<512xi1>, %arg1: tensor<512xi32>, %arg2: tensor<512xi32>) -> tensor<512xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<512xi1>, tensor<512xi32>
    return %0 : tensor<512xi32>
  }
  func.func private @silu_0(%arg0: tensor<512x96xf32>, %arg1: tensor<512x96xf32>, %arg2: tensor<512x96xf32>, %arg3: tensor<512x96xf32>) -> tensor<512x96xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<512x96xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<512x96xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<512x96xf32>
    %3 = stablehlo.add %1, %2 : tensor<512x96xf32>
    return %3 : tensor<512x96xf32>
  }
}
